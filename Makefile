# Each target sets up what it needs in .venv first: see .ci/setup for PYTHON=… and TORCH=….
python := .venv/bin/python
triton := work/triton-3.7.1

.PHONY: help setup repro translate test test-triton mutants attack bench bench-smoke gpu lint docs lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/ -/'

setup: ## make the environment in .venv
	@.ci/setup

# `make` hands ROWS and JOBS on in the environment: no shell reads what stands there.
repro: setup ## run the whole study: corpus, training, evaluation, report; or some systems: make repro ROWS="ba_nmt sa_nmt"
	@$(python) -m stages.pipeline --rows "$$ROWS" $${JOBS:+--jobs "$$JOBS"}

# Here too values go by the environment. Nothing but translations goes to the standard output, and set-up reads none of
# the text. 141: whoever read the output, `head` for one, has enough of it.
translate: ## translate text with a trained system: make translate SYSTEM=ba_nmt < file (docs/translate.md)
	@.ci/setup </dev/null >&2
	@$(python) -m stages.translator --system "$$SYSTEM" $${STUDY:+--study "$$STUDY"} $${SEED:+--seed "$$SEED"} \
	  $${INPUT:+--input "$$INPUT"} $${TOKENISED:+--tokenised "$$TOKENISED"} $${FORM:+--form "$$FORM"} \
	  $${SCORES:+--scores "$$SCORES"} $${NBEST:+--nbest "$$NBEST"} $${MAP:+--map "$$MAP"} \
	  $${LONGEST:+--longest "$$LONGEST"} $${WINDOW:+--window "$$WINDOW"} || test $$? = 141

# A process a core, each of about 1 GB; one that has nothing left takes over half of what waits at another. It ends with
# what took longest of all that took 5 s or more.
test: lint ## run the tests
	@echo "running the tests"
	@OMP_NUM_THREADS=1 $(python) -m pytest -q -n logical --maxprocesses 8 --dist worksteal \
	  --durations 15 --durations-min 5 tests

# Beside the environment: torch for CPUs comes without it, and imports it where it finds it.
test-triton: setup ## run the tests of the kernels for GPUs in Triton's interpreter (0.7 GB in work/)
	@test -d $(triton) || { echo "installing triton" && rm -rf $(triton).new && mkdir -p work && \
	  $(python) -m pip install -q --disable-pip-version-check --no-deps --target $(triton).new \
	    $(subst triton-,triton==,$(notdir $(triton))) && mv $(triton).new $(triton); }
	@PYTHONPATH=$(triton) OMP_NUM_THREADS=1 $(python) -m pytest -q -n logical --maxprocesses 8 tests/fairseq_plugins/kernels/test_triton.py

mutants: setup ## break each variant in several ways, and list the test that notices
	@OMP_NUM_THREADS=1 $(python) -m tests.mutants

# In turn, and each by one process but for the jobs of the killed study.
attack: setup ## kill, starve and fuzz it for half an hour: KILLS=200 FUZZ=30 (seconds for each reader) SEED=…
	@ATTACK=long OMP_NUM_THREADS=1 $(python) -m pytest -q -n 0 tests/attack
	@$(python) -m tests.attack.fuzz --seconds "$${FUZZ:-30}" $${SEED:+--seed "$$SEED"}
	@$(python) -m tests.attack.kills --kills "$${KILLS:-200}" $${SEED:+--seed "$$SEED"}

bench: setup ## measure the speed of every system, see benchmarks/results.md (leave the machine alone meanwhile)
	@$(python) -m benchmarks

bench-smoke: setup ## whether the benchmark runs, at tiny sizes; results in work/bench-smoke
	@OMP_NUM_THREADS=1 $(python) -m benchmarks --smoke --repeats 1 --threads 1 --out work/bench-smoke

gpu: setup ## on a machine with an NVIDIA GPU: tests, parity, benchmark and a short training, see benchmarks/gpu.md
	@$(python) -m benchmarks.gpu

lint: setup ## check style, formatting, and what imports what
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	@.venv/bin/lint-imports --no-cache --no-logo

docs: setup ## make the drawings and the generated parts of the pages anew
	@$(python) -m docs.make

lock: ## renew requirements.lock from pyproject.toml (needs uv)
	@uv pip compile pyproject.toml --group dev --group build --universal --python-version 3.11 --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	  | grep -v "'never'" >requirements.lock.new
	@mv requirements.lock.new requirements.lock

clean: ## delete .venv and caches, keep data and reports
	@rm -rf .venv .pytest_cache .ruff_cache *.egg-info
	@find stages fairseq_plugins benchmarks docs tests -name __pycache__ -prune -exec rm -rf {} +
