# What a fresh clone needs: Go 1.26, make, git. Everything else is fetched or installed by the targets.
#
#   make test      all tests, with what they need; leaves bin/test.json for `make articles`; then those of the control
#   make control   the independent control system: bin/control, tested against the program's evenings; needs g++
#   make articles  which code serves each sentence of the regulations, and which passed test proves it
#   make templ     the Go code of the templates of pages, written anew
#   make lint      gofmt, go vet, staticcheck, govulncheck
#   make bench     all benchmarks
#   make soak      the long campaigns: kill the selling process and PostgreSQL again and again (package soak), every fuzz
#                  target for FUZZTIME, then all tests with the campaigns that covers.Soak holds back and RAPID_CHECKS
#                  cases a property

SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# The program is pure Go: what is tested is what is shipped.
export CGO_ENABLED := 0

# What the tests use beside Go, as command=package of Debian.
NEEDS := postgres=postgresql python3=python3

# The kinds of sentences that are complete and stay so: all of them.
REQUIRE := engine,sale,ladder,procedure,screen

FUZZTIME ?= 30s
RAPID_CHECKS ?= 2000

.PHONY: test control articles templ lint bench soak needs tools

test: needs bin/control
	@mkdir -p bin
	go test -json ./... | tee bin/test.json | go run ./internal/articles/testlines
	@$(MAKE) --no-print-directory control

# A module of its own with an engine in C++: built and tested where there is a compiler, and said where there is none. Tests of the main module run it, too.
.PHONY: bin/control
bin/control:
	@if command -v g++ >/dev/null; then mkdir -p bin && CGO_ENABLED=1 go -C control build -o ../bin/control .; \
	else echo 'control: g++ is not installed: the independent control is not built, and the tests that run it are skipped'; fi

control: bin/control
	@if [ -x bin/control ]; then \
		export CGO_ENABLED=1 && go -C control vet ./... && go -C control test ./... && \
		TIRAGE_CONTROL=$(CURDIR)/bin/control CGO_ENABLED=0 go test ./central -run UnderControl -rapid.checks=20; \
	else echo 'control: not built, so not tested'; fi

articles:
	go run ./cmd/tirage articles --tests bin/test.json --require $(REQUIRE)

# A folder at a time: the code names its template without a path.
templ:
	@for folder in $$(git ls-files 'web/*.templ' | xargs -n 1 dirname | sort -u); do go -C tools tool templ generate -path ../$$folder; done

lint: tools
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { printf 'gofmt would change:\n%s\n' "$$unformatted"; exit 1; }
	go vet ./...
	bin/staticcheck ./...
	scripts/vulncheck bin/govulncheck

bench:
	go test -run '^$$' -bench . -benchmem ./...

soak: needs
	FUZZTIME=$(FUZZTIME) RAPID_CHECKS=$(RAPID_CHECKS) scripts/soak

needs:
	@scripts/needs $(NEEDS)

# The linters are a module of their own, so that the program's go.mod names only what the program is made of.
tools:
	@GOBIN=$(CURDIR)/bin go -C tools install tool
