package site_test

import (
	"strings"
	"testing"

	"tirage/demo"
)

// A receipt that is dropped onto the page is verified by the browser, in both languages; a changed one is not, nor is one under another key.
func TestVerifiedInTheBrowser(t *testing.T) {
	_, b := browse(t)
	login(b, demo.Players()[0].Name)
	file := b.File(link(b, "/plays", "h2 a") + "/receipt.json")
	for _, lang := range []struct{ code, ready, right, wrong, none string }{
		{"fr", "Prêt. Le fichier ne quitte pas votre appareil.", "Ce reçu est authentique.", "Ce reçu n’est PAS authentique.", "Ce fichier n’est ni un reçu"},
		{"en", "Ready. The file does not leave your device.", "This receipt is genuine.", "This receipt is NOT genuine.", "This file is no receipt"},
	} {
		b.Go("/choose?lang=" + lang.code)
		b.Wide()
		b.Go("/verify/")
		b.Waits(lang.ready)
		b.Accessible("verify " + lang.code)
		b.Drop("#verify", "receipt.json", file)
		b.Waits(lang.right)
		b.Accessible("verified " + lang.code)
		b.Shoot("verify-" + lang.code + "-1280")
		b.Phone()
		b.Shoot("verify-" + lang.code + "-390")
		b.Drop(".drop", "receipt.json", strings.Replace(file, `"salt": "`, `"salt": "A`, 1))
		b.Waits(lang.wrong)
		b.Media("dark", true)
		b.Shoot("verify-wrong-dark-" + lang.code + "-390")
		b.Media("light", true)
		b.Drop("#verify", "anything.txt", "no file of ours")
		b.Waits(lang.none)
		b.Go("/verify/")
		b.Waits(lang.ready)
		b.Fill("key", "")
		b.Drop("#verify", "receipt.json", file)
		b.Waits("no public key")
	}
}
