package central

// Commands lists every command, empty, by kind: what can be asked of a register at all. Permissions and the tests that walk through all of them go by it.
// No command takes a play back: once sold it is irrevocable (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « L'annulation d'une
// prise de jeu … n'est en effet pas possible »).
func Commands() []Command {
	return []Command{
		AckCheck{},
		AddPasskey{},
		ApproveDraw{},
		BalanceDraw{},
		BlockRound{},
		BuyPlay{},
		BuyShares{},
		CancelRaise{},
		CloseAbandoned{},
		CloseDraw{},
		CloseSession{},
		ConfirmIdentity{},
		CountDraw{},
		CreatePlayer{},
		&CreditSlice{},
		Deposit{},
		ExcludePlayer{},
		OpenDraw{},
		OpenSession{},
		PlaySeries{},
		PublishDraw{},
		RecordResult{},
		RegisterPlayer{},
		ReleaseRound{},
		RemovePasskey{},
		RequestDeposit{},
		RequestWithdrawal{},
		ResumeDraw{},
		ResumeGame{},
		RevokeSessions{},
		SealDraw{},
		SetCheck{},
		SetLimit{},
		SetPassword{},
		SettlePayment{},
		StartRound{},
		StopRound{},
		TryLogin{},
		VerifyIdentity{},
		WithdrawGame{},
	}
}
