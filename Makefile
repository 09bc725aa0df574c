# Each target sets up what it needs in .venv first: see .ci/setup for PYTHON=… and TORCH=….
python := .venv/bin/python
triton := work/triton-3.7.1
remotes := work/remotes-1
fonts := pylopdf-fonts-ko==0.1.1 pylopdf-fonts-hi==0.1.1 pylopdf-fonts-th==0.1.1 fontpkg-noto-sans-tamil==2.4
remotes_packages := dvc==3.67.1 dvc-s3==3.3.0 "moto[server]==5.2.5"

.PHONY: help setup fonts repro status studies release export translate check test test-all test-triton test-slurm test-remotes mutants attack bench bench-smoke gpu lint docs lock clean

# What a command line may set: `make repro STUDDY=…` would run another study than it was asked for.
of_repro := STUDY RELEASED SYSTEMS JOBS ENGINE MPS
of_status := STUDY RELEASED
of_release := STUDY MODEL SEED REPLACE
of_export := STUDY
of_gpu := PARTS MPS
of_translate := SYSTEM MODEL STUDY SEED INPUT TOKENISED FORM SCORES NBEST MAP LONGEST WINDOW
of_attack := KILLS FUZZ SEED
of_all := CORPUS_MIRROR PYTHON TORCH CC CXX
known := $(sort $(foreach goal,$(MAKECMDGOALS),$(of_$(goal))))
given := $(foreach name,$(.VARIABLES),$(if $(findstring command,$(origin $(name))),$(name)))
unknown := $(filter-out $(known) $(of_all),$(given))
$(if $(unknown),$(error `make $(MAKECMDGOALS)` knows no $(unknown); it knows $(known) $(of_all)))
# An environment may have a MODEL or SEED for something else. Only what stands in `of_all` is taken from there.
settings := $(filter-out $(of_all),$(sort $(foreach list,$(filter of_%,$(.VARIABLES)),$($(list)))))
inherited := $(foreach name,$(settings),$(if $(findstring environment,$(origin $(name))),$(name)))
unexport $(inherited)
$(foreach name,$(filter $(known),$(inherited)),$(warning $(name) of the environment is not used; `make $(MAKECMDGOALS) $(name)=…` is))

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/ -/'

setup: ## make the environment in .venv
	@.ci/setup

fonts: setup ## install fonts for figures with Hangul, Devanagari, Thai or Tamil (11 MB)
	@$(python) -m pip install -q --disable-pip-version-check --no-deps $(fonts)

# `make` hands variables on in the environment: no shell reads what stands there.
repro: setup ## run the whole study: corpus, training, evaluation, report; another: STUDY=…; from results in git: RELEASED=1; some systems: SYSTEMS="ba_nmt sa_nmt"; on a cluster: ENGINE=slurm; sharing a GPU: MPS=1
	@$(python) -m stages.pipeline --study "$$STUDY" --released "$$RELEASED" --systems "$$SYSTEMS" $${JOBS:+--jobs "$$JOBS"} \
	  $${ENGINE:+--engine "$$ENGINE"} $${MPS:+--mps "$$MPS"}

status: setup ## what an edit would rerun, and how long that takes; of another study: STUDY=…
	@$(python) -m stages.pipeline.status --study "$$STUDY" --released "$$RELEASED"

studies: setup ## list the studies: systems, seeds, text, what their trainings took
	@$(python) -m stages.pipeline.studies

release: setup ## write the results of a study's trainings to reports/released, for other machines' reports; MODEL=ba_nmt SEED=1: that model, for others to translate with; over other results: REPLACE=1
	@$(python) -m stages.pipeline.release --study "$$STUDY" $${MODEL:+--model "$$MODEL"} $${SEED:+--seed "$$SEED"} \
	  $${REPLACE:+--replace "$$REPLACE"}

export: setup ## write what a study's systems translated as plain text, for measures taken elsewhere: docs/measures.md; STUDY=…
	@$(python) -m stages.pipeline.export --study "$$STUDY"

# Here too values go by the environment. Nothing but translations goes to the standard output, and set-up reads none of
# the text. 141: whoever read the output, `head` for one, has enough of it.
translate: ## translate text with a trained system: make translate < file; SYSTEM=…, MODEL=file (docs/translate.md)
	@.ci/setup </dev/null >&2
	@$(python) -m stages.translator $${SYSTEM:+--system "$$SYSTEM"} $${MODEL:+--model "$$MODEL"} $${STUDY:+--study "$$STUDY"} $${SEED:+--seed "$$SEED"} \
	  $${INPUT:+--input "$$INPUT"} $${TOKENISED:+--tokenised "$$TOKENISED"} $${FORM:+--form "$$FORM"} \
	  $${SCORES:+--scores "$$SCORES"} $${NBEST:+--nbest "$$NBEST"} $${MAP:+--map "$$MAP"} \
	  $${LONGEST:+--longest "$$LONGEST"} $${WINDOW:+--window "$$WINDOW"} || test $$? = 141

check: lint ## in a minute: style, imports, types, and ten systems, with every term between them, against NumPy
	@OMP_NUM_THREADS=1 $(python) -m pytest -q -n0 -m sample tests/fairseq_plugins/models/test_parity.py

# A process a core, each of about 1 GB; one that has nothing left takes over half of what waits at another. It ends with
# what took longest of all that took 5 s or more. Bytecode is kept: the processes that tests start would each make it anew.
pytest := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(python) -m pytest -q -n logical --maxprocesses 8 --dist worksteal \
	  --durations 15 --durations-min 5 tests

test: setup ## run the tests that start nothing: no training, DVC, browser, Slurm or other process (5 minutes)
	@echo "running the tests that start nothing; make test-all runs the others too"
	@$(pytest) --quick

test-all: lint ## run all tests (ten to fifteen minutes on two cores)
	@echo "running all tests"
	@$(pytest) -rs

# Beside the environment: torch for CPUs comes without it, and imports it where it finds it.
test-triton: setup ## run the tests of the kernels for GPUs in Triton's interpreter (0.7 GB in work/)
	@test -d $(triton) || { echo "installing triton" && rm -rf $(triton).new && mkdir -p work && \
	  $(python) -m pip install -q --disable-pip-version-check --no-deps --target $(triton).new \
	    $(subst triton-,triton==,$(notdir $(triton))) && mv $(triton).new $(triton); }
	@PYTHONPATH=$(triton) OMP_NUM_THREADS=1 $(python) -m pytest -q -n logical --maxprocesses 8 -rs tests/fairseq_plugins/kernels/test_triton.py

# Plain DVC with its part for S3, and a server for it: beside the environment, for they need 200 packages.
test-remotes: setup ## run the tests of a shared cache, with S3 too (packages for it in work/)
	@test -d $(remotes) || { echo "installing DVC's part for S3 and a server" && rm -rf $(remotes).new && mkdir -p work && \
	  $(python) -m pip install -q --disable-pip-version-check --target $(remotes).new $(remotes_packages) && \
	  mv $(remotes).new $(remotes); }
	@REMOTES="$(CURDIR)/$(remotes)" OMP_NUM_THREADS=1 $(python) -m pytest -q -n0 tests/remotes

test-slurm: setup ## run jobs on a real Slurm, which it starts on this machine and stops (root; Debian: slurm-wlm, munge)
	@TEST_SLURM=1 OMP_NUM_THREADS=1 $(python) -m pytest -q -n0 -rs tests/slurm

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
	@OMP_NUM_THREADS=1 $(python) -m benchmarks --smoke --repeats 1 --threads 1

# PARTS is split into words: no name of a part has a space.
gpu: setup ## on a machine with an NVIDIA GPU: tests, parity, benchmark and a short training, see benchmarks/gpu.md; some: PARTS="kernels parity"; MPS=1
	@set -f; $(python) -m benchmarks.gpu $${PARTS:+--parts $$PARTS} $${MPS:+--mps "$$MPS"}

lint: setup ## check style, formatting, what imports what, and types
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	@.venv/bin/lint-imports --no-cache --no-logo
	@$(python) -m mypy

docs: setup ## make the drawings and the generated parts of the pages anew
	@$(python) -m docs.make

lock: ## renew requirements.lock from pyproject.toml (needs uv)
	@uv pip compile pyproject.toml --group dev --group build --universal --python-version 3.11 --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	  | grep -v "'never'" >requirements.lock.new
	@mv requirements.lock.new requirements.lock

clean: ## delete .venv and caches, keep data and reports
	@rm -rf .venv .venv.old .venv.lock .pytest_cache .ruff_cache .mypy_cache *.egg-info
	@find stages fairseq_plugins benchmarks docs tests -name __pycache__ -prune -exec rm -rf {} +
