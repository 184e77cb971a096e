package central

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/money"
)

// letter is what a message says: a line and a text. Words in braces stand for what the message tells; see [Message.In].
type letter struct{ subject, text string }

// letters is what messages say, by kind. They tell what happened and what stands now: no praise for a gain, which may be less than the stake, and
// nothing that urges to play.
var letters = map[string]struct{ fr, en letter }{
	MessageGain: {
		letter{"Gain crédité\u00a0: {amount}", "Votre prise de jeu {play} pour le tirage {draw} a gagné {amount}. Cette somme est créditée sur vos disponibilités."},
		letter{"Gain credited: {amount}", "Your play {play} for the draw of {draw} has won {amount}. This amount is credited to your available balance."},
	},
	MessageCodeGain: {
		letter{"Gain crédité\u00a0: {amount}", "Un code de votre prise de jeu {play} pour le tirage {draw} a été tiré au sort et gagne {amount}. Cette somme est créditée sur vos disponibilités."},
		letter{"Gain credited: {amount}", "A code of your play {play} for the draw of {draw} was drawn and wins {amount}. This amount is credited to your available balance."},
	},
	MessageDeposit: {
		letter{"Versement crédité\u00a0: {amount}", "Votre versement de {amount} (référence {payment}) est crédité sur vos disponibilités."},
		letter{"Deposit credited: {amount}", "Your deposit of {amount} (reference {payment}) is credited to your available balance."},
	},
	MessageDepositFailed: {
		letter{"Versement non abouti\u00a0: {amount}", "Votre versement de {amount} (référence {payment}) n’a pas abouti. Rien n’est crédité sur vos disponibilités."},
		letter{"Deposit not completed: {amount}", "Your deposit of {amount} (reference {payment}) was not completed. Nothing is credited to your available balance."},
	},
	MessageWithdrawal: {
		letter{"Retrait payé\u00a0: {amount}", "Votre retrait de {amount} (référence {payment}) est payé."},
		letter{"Withdrawal paid: {amount}", "Your withdrawal of {amount} (reference {payment}) is paid."},
	},
	MessageWithdrawalBack: {
		letter{"Retrait non abouti\u00a0: {amount}", "Votre retrait de {amount} (référence {payment}) n’a pas abouti. Cette somme est de nouveau sur vos disponibilités."},
		letter{"Withdrawal not completed: {amount}", "Your withdrawal of {amount} (reference {payment}) was not completed. This amount is back on your available balance."},
	},
	MessageLimit: {
		letter{"Limite de {of}\u00a0: {amount}", "Votre limite de {of} est de {amount} sur sept jours. Elle s’applique dès maintenant."},
		letter{"Limit of {of}: {amount}", "Your limit of {of} is {amount} over seven days. It applies from now on."},
	},
	MessageLimitRaise: {
		letter{"Hausse demandée de votre limite de {of}", "Votre limite de {of} passera à {amount} sur sept jours le {until}. Jusque-là, vous pouvez y renoncer."},
		letter{"Raise of your limit of {of} asked for", "Your limit of {of} will be {amount} over seven days from {until} on. Until then you can drop the raise."},
	},
	MessageLimitRaised: {
		letter{"Limite de {of}\u00a0: {amount}", "La hausse que vous aviez demandée a pris effet\u00a0: votre limite de {of} est de {amount} sur sept jours."},
		letter{"Limit of {of}: {amount}", "The raise that you asked for has taken effect: your limit of {of} is {amount} over seven days."},
	},
	MessageLimitRaiseOff: {
		letter{"Limite de {of} inchangée\u00a0: {amount}", "La hausse de votre limite de {of} est abandonnée. Votre limite reste de {amount} sur sept jours."},
		letter{"Limit of {of} unchanged: {amount}", "The raise of your limit of {of} is dropped. Your limit stays at {amount} over seven days."},
	},
	MessageExcluded: {
		letter{"Exclusion jusqu’au {until}", "À votre demande, vous êtes exclu du jeu jusqu’au {until}. Ni mise, ni versement, ni courrier jusque-là\u00a0; vous pouvez retirer vos disponibilités et terminer une partie ouverte."},
		letter{"Exclusion until {until}", "As you asked, you are excluded from play until {until}. No stake, no deposit and no mail until then; you can withdraw your available balance and end an open round."},
	},
	MessageRoundPaid: {
		letter{"Partie terminée\u00a0: {amount}", "Votre partie {round} de {game}, restée ouverte, a été terminée. Le gain du dernier palier franchi, {amount}, est crédité sur vos disponibilités."},
		letter{"Round ended: {amount}", "Your round {round} of {game}, which was left open, has been ended. The gain of the last level passed, {amount}, is credited to your available balance."},
	},
	MessageRoundRefunded: {
		letter{"Partie remboursée\u00a0: {amount}", "Votre partie {round} de {game}, payée et jamais commencée, a été terminée. Sa mise de {amount} est remboursée sur vos disponibilités."},
		letter{"Round refunded: {amount}", "Your round {round} of {game}, paid and never started, has been ended. Its stake of {amount} is refunded to your available balance."},
	},
	MessageRoundBlocked: {
		letter{"Partie en cours de vérification", "Votre partie {round} de {game} est en cours de vérification. Rien n’est perdu\u00a0: sa mise de {amount} est conservée."},
		letter{"Round being checked", "Your round {round} of {game} is being checked. Nothing is lost: its stake of {amount} is kept safe."},
	},
	MessageSubscription: {
		letter{"Abo+ joué\u00a0: {amount}", "Votre abonnement {subscription} est joué pour le tirage {draw}\u00a0: prise de jeu {play}. {amount} sont débités de vos disponibilités."},
		letter{"Abo+ played: {amount}", "Your subscription {subscription} is played for the draw of {draw}: play {play}. {amount} is debited from your available balance."},
	},
	MessageSubscriptionMissed: {
		letter{"Abo+ non joué", "Votre abonnement {subscription} n’est pas joué pour le tirage {draw}. {why}"},
		letter{"Abo+ not played", "Your subscription {subscription} is not played for the draw of {draw}. {why}"},
	},
	MessageSubscriptionSuspended: {
		letter{"Abo+ suspendu", "Votre abonnement {subscription} n’est pas joué pour le tirage {draw} et il est suspendu\u00a0: aucun tirage ne sera débité sans votre demande. {why}"},
		letter{"Abo+ suspended", "Your subscription {subscription} is not played for the draw of {draw}, and it is suspended: no draw is debited unless you ask for it. {why}"},
	},
	MessageGroup: {
		letter{"Jeu en groupe enregistré\u00a0: {amount}", "Le Jeu en groupe auquel vous participez pour le tirage {draw} est enregistré\u00a0: prise de jeu {play}. Vos reçus coûtent {amount}, débités de vos disponibilités."},
		letter{"Group play registered: {amount}", "The group play that you joined for the draw of {draw} is registered: play {play}. Your receipts cost {amount}, debited from your available balance."},
	},
}

// In returns what a message says in French or English: a subject and a text. The amount is that of the payment, printed from the same cents.
func (r *Message) In(lang string) (subject, text string, err error) {
	both, ok := letters[r.Kind]
	if !ok {
		return "", "", fmt.Errorf("message %v: kind %q has no text", r.ID, r.Kind)
	}
	l := both.en
	if lang == French {
		l = both.fr
	}
	var facts Facts
	if err := json.Unmarshal([]byte(r.Facts), &facts); err != nil {
		return "", "", fmt.Errorf("message %v: %w", r.ID, err)
	}
	words := facts.words(lang, r.Cents)
	return words.Replace(l.subject), words.Replace(l.text), nil
}

// words replaces the words in braces.
func (f *Facts) words(lang string, cents money.Cents) *strings.Replacer {
	return strings.NewReplacer(
		"{amount}", fmt.Sprint(shown(cents, lang)), "{draw}", drawTitle(f.Draw, lang), "{play}", f.Play, "{of}", limitName(f.Of, lang),
		"{until}", fmt.Sprint(shown(moment(f.Until.UnixMicro()), lang)), "{game}", gameTitle(f.Game), "{round}", f.Round, "{payment}", f.Payment,
		"{subscription}", f.Subscription, "{why}", f.why(lang),
	)
}

// why says why a draw was missed.
func (f *Facts) why(lang string) string {
	if lang == French {
		return f.French
	}
	return f.English
}

func limitName(of, lang string) string {
	if lang != French {
		return of
	}
	if of == LimitDeposits {
		return "versements"
	}
	return "mises"
}

// drawTitle names a draw: "Loto® du samedi 3 novembre 2018", "Loto®, Saturday 3 November 2018".
func drawTitle(id, lang string) string {
	game, day := splitDraw(id)
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return id
	}
	title := game
	if book, err := games.InForce(game, day); err == nil {
		title = book.Header.Title
	}
	if lang == French {
		return title + " du " + frenchDays[date.Weekday()] + " " + frenchDay(date)
	}
	return title + ", " + date.Format("Monday 2 January 2006")
}

var frenchDays = strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi")

// splitDraw parts what [DrawID] put together.
func splitDraw(id string) (game, day string) {
	at := len(id) - len("-2006-01-02")
	if at < 0 {
		return id, ""
	}
	return id[:at], id[at+1:]
}

// gameTitle names a ladder game.
func gameTitle(game string) string {
	versions, err := games.Versions(game)
	if err != nil {
		return game
	}
	return versions[len(versions)-1].Header.Title
}
