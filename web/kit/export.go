package kit

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"tirage/exports"
)

// Export answers with a report as a file, in the form and of the days that the form asks for.
func (v *Visit) Export(report *exports.Report, s exports.Scope) error {
	format, err := exports.ParseFormat(v.Form("format"))
	if err != nil {
		return err
	}
	s.From, s.To, s.Now = v.Form("from"), v.Form("to"), v.Now
	file, err := exports.Spool(v.Context(), v.UI.Host.Store, report, s, format, string(v.Lang))
	if err != nil {
		return err
	}
	defer file.Close()
	v.attachment(format.MediaType(), report.FileName(s, format))
	v.w.Header().Set("Content-Length", fmt.Sprint(file.Size))
	v.w.WriteHeader(http.StatusOK)
	_, _ = io.Copy(v.w, file) // who is gone needs no file
	return nil
}

// exportURL is where a report is fetched as a format.
func exportURL(path string, f exports.Format, from, to string) string {
	q := url.Values{"format": {string(f)}}
	for name, value := range map[string]string{"from": from, "to": to} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return path + "?" + q.Encode()
}

func upper(f exports.Format) string { return strings.ToUpper(string(f)) }
