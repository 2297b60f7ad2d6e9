# make demo          see what it does
# make test          what continuous integration runs: ruff, mypy, pytest; minutes
# make test-quick    the same without C programs, proofs and every layout: about a minute
# make test-nightly  test-values, then pytest with ten times the random examples, new ones each time
# make test-documents  what README and the guides tell readers to type, with and without extras
# make test-replay   random calls of every operator: what is replayed is what Python plans; 15 minutes
# make test-values   every operator, random attributes and inputs, against mpmath; 20 minutes
# make test-moments  first calls disturbed at random moments, addresses that come later; hours
# make test-mutants  right programs broken at random calls: does the sanitizer tell? 10 minutes
# make test-operators  200 random operators, through every entry point; half an hour
# make test-samples  every operator on the samples that PyTorch tests its functions with; minutes
# make test-pytorch  every operator of torch.ops by PyTorch's own checks, every layout; half an hour
# make test-programs torch_npu's own wheel, in an environment of its own: .venv-programs; a minute
# make test-all      every test, and those of samples, operators, PyTorch and programs; an hour and more
# make arm           tests and bits on an emulated ARM machine: docs/arm.md; half an hour, as root
# make types         what pyright says of examples and of typical mistakes
# make bench         measure it on this machine
# make docs          write the generated pages of the repository anew
# make site          build the documentation as web pages in the folder site
# make test-site     the same, and click through it in a headless Chromium
# make release       build the wheel and the source distribution in the folder dist, twice, and compare
#
# Everything happens in .venv, made at first use; PYTHON chooses the interpreter to make it with.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MYPY := $(BIN)/mypy src tests/checked_types examples

.PHONY: help demo test test-quick test-nightly test-documents test-values test-contractions test-moments test-mutants test-operators test-samples test-pytorch test-programs test-replay test-all arm lint types ruff format bench docs site test-site release stubs clean

help:
	@sed -n '/^#/!q;s/^# \{0,1\}//p' Makefile

demo: $(VENV)/.installed-run
	@$(BIN)/python examples/demo.py

# mypy is busy for half a minute on one core: beside the tests. What it says comes after them
test: ruff stubs $(VENV)/programs/.installed
	@echo "-- mypy, pytest"
	@$(MYPY) >$(VENV)/mypy.txt 2>&1 & mypy=$$!; \
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$mypy; types=$$?; cat $(VENV)/mypy.txt; \
	exit $$((tests + types))

test-quick: lint
	@echo "-- pytest --quick"
	@$(BIN)/python -m pytest --quick

# CALLS of every operator, SEED repeats a run
test-replay: $(VENV)/.installed-test
	@seed=$${SEED:-$$(date +%s)}; echo "-- replay is Python; the same again: make test-replay SEED=$$seed"; \
	REPLAY_SEED=$$seed REPLAY_CALLS=$(or $(CALLS),200) \
	  $(BIN)/python -m pytest -q -s tests/calls/test_recordings.py

test-nightly: test-values test-documents test-replay
	@seed=$${SEED:-$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(1 << 32))')}; \
	echo "-- pytest with new examples; the same again: make test-nightly SEED=$$seed"; \
	$(BIN)/python -m pytest --hypothesis-profile=nightly --hypothesis-seed=$$seed $(TESTS)

test-documents: $(VENV)/.installed-test
	@$(BIN)/python tests/long documents $(PAGES)

# OPS=divs,softmax and SECONDS=60 do a part, SEED repeats a run
test-values: $(VENV)/.installed-test
	@$(BIN)/python tests/long nightly --seconds $(or $(SECONDS),1200) \
	  $(if $(OPS),--ops $(OPS)) $(if $(SEED),--seed $(SEED))

# PRODUCTS and CONVOLUTIONS say how many, SEED repeats a run
test-contractions: $(VENV)/.installed-test
	@$(BIN)/python tests/long contractions $${PRODUCTS:-100000} \
	  $${CONVOLUTIONS:-10000} $(SEED)

# MOMENTS and CALLS say how many
test-moments: $(VENV)/.installed-test
	@for way in interrupt fork kill; do \
	  $(BIN)/python tests/long moments $$way $${MOMENTS:-500} || exit 1; done
	@$(BIN)/python tests/long fork_moments $${MOMENTS:-500}
	@$(BIN)/python tests/long random_flows $${CALLS:-100000}

# SEED repeats a run, MUTANTS and CALLS say how many
test-mutants: $(VENV)/.installed-test
	@seed=$${SEED:-$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(1 << 32))')}; \
	echo "-- mutants; the same again: make test-mutants SEED=$$seed"; \
	$(BIN)/python tests/long mutants $${MUTANTS:-500} $$seed 16 && \
	$(BIN)/openaclnn sanitize --device cpu --error-exitcode 1 --cxxflags=-pthread \
	  tests/capi/programs/right.cpp $${CALLS:-100000} $$seed

# SEED and COUNT choose others, DOORS some entry points only
test-operators: $(VENV)/.installed-test
	@seed=$${SEED:-$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(1 << 32))')}; \
	echo "-- random operators; the same again: make test-operators SEED=$$seed"; \
	$(BIN)/python tests/long random_operators $${COUNT:-200} $$seed $(DOORS)

test-samples: $(VENV)/.installed-test
	@EVERY_SAMPLE=1 $(BIN)/python -m pytest -q -s tests/ops/test_pytorch_samples.py

test-pytorch: $(VENV)/.installed-test
	@$(BIN)/python -m pytest tests/pytorch --every -n auto

# PyTorch loads torch_npu by itself where both are installed: only what is tested may do so
test-programs: $(VENV)/.installed-test $(VENV)-programs/.installed-run
	@PROGRAMS_PYTHON=$(VENV)-programs/bin/python $(BIN)/python -m pytest tests/programs

test-all: test test-samples test-operators test-pytorch test-programs

arm: $(VENV)/.installed-test
	@$(BIN)/python scripts/arm/check.py

lint: ruff stubs
	@echo "-- mypy"
	@$(MYPY)

# needs pyright, which comes with Node: npm install pyright
types: stubs
	@$${PYRIGHT:-pyright} --pythonpath $(BIN)/python

ruff: $(VENV)/.installed-test
	@echo "-- ruff"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet || { echo "run: make format" >&2; exit 1; }

format: $(VENV)/.installed-test
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: $(VENV)/.installed-test
	@$(BIN)/openaclnn bench

docs: $(VENV)/.installed-run
	@$(BIN)/python scripts/pages.py
	@$(BIN)/python scripts/torch_npu_page.py
	@$(BIN)/python scripts/sanitizer_page.py
	@$(BIN)/python scripts/operator_words.py

site: $(VENV)/.installed-site
	@$(BIN)/python scripts/website

test-site: site
	@SITE=site $(BIN)/python -m pytest tests/website

release: $(VENV)/.installed-release
	@$(BIN)/python scripts/release.py

stubs: $(VENV)/.installed-test
	@$(BIN)/python -m openaclnn.calls.stubs

clean:
	rm -rf $(VENV) $(VENV)-programs build dist site src/*.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find src tests scripts -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.installed-run: pyproject.toml scripts/install.py
	@$(PYTHON) scripts/install.py $(VENV)

$(VENV)/.installed-test: pyproject.toml scripts/install.py
	@$(PYTHON) scripts/install.py $(VENV) test,lint

$(VENV)-programs/.installed-run: pyproject.toml scripts/install.py
	@$(PYTHON) scripts/install.py $(VENV)-programs programs

# Where there is no wheel of torch_npu (other systems, no network) its tests are left out
$(VENV)/programs/.installed: $(VENV)/.installed-test
	@$(BIN)/python scripts/install_wheels.py $(VENV)/programs torch_npu==2.13.0 pyyaml

$(VENV)/.installed-site: pyproject.toml scripts/install.py
	@$(PYTHON) scripts/install.py $(VENV) test,lint,site

$(VENV)/.installed-release: pyproject.toml scripts/install.py
	@$(PYTHON) scripts/install.py $(VENV) release
