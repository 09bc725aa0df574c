"""What chooses the checkpoint, what the learning curve says, what is trained on."""

from ..mutant import mutants

FOLDER, TESTS = "stages/training", "tests/stages/training"
DEV_BLEU, LENGTHS, TRAINING = f"{TESTS}/test_dev_bleu.py", f"{TESTS}/test_lengths.py", f"{TESTS}/test_training.py"

MUTANTS = (
    *mutants("stages", "stages/translating/words_bleu.py", DEV_BLEU, {
        "BLEU with case": ('bleu.scorer("none", lowercase=True)', 'bleu.scorer("none", lowercase=False)'),
        "BLEU of pieces": ('" ".join(merge_pieces(target))', '" ".join(target)'),
        "BLEU with the end of sentence": ("one.target[:-1] if one.finished else one.target for", "one.target for"),
        "BLEU cuts off what was cut off":
            ("one.target[:-1] if one.finished else one.target for", "one.target[:-1] for"),
    }),
    *mutants("stages", f"{FOLDER}/run.py", DEV_BLEU, {
        "dev is translated with dropout": ("        model.eval()\n        system", "        system"),
        "training goes on without dropout": ("        model.train(was_training)\n", ""),
        "dev's beam is 1": ("beam=settings.dev_beam,", "beam=1,"),
        "dev is translated from its target": ('bpe / f"dev.{source}"', 'text / f"dev.{target}"'),
    }),
    *mutants("stages", f"{FOLDER}/loop.py", f"{TRAINING} -k dev_perplexity", {
        "dev perplexity is that of training": ("dev_ppl=float(dev_ppl),", 'dev_ppl=float(train["ppl"]),'),
    }),
    *mutants("stages", f"{FOLDER}/loop.py", "tests/stages/translating/test_words.py -k perplexity", {
        "the curve's perplexity over the candidates": (
            "            with all_words(trainer.get_model()):\n                losses",
            "            if True:\n                losses",
        ),
    }),
    *mutants("stages", f"{FOLDER}/loop.py",
        f"{LENGTHS} {TRAINING} -k 'length or long or speed or limit or dev_perplexity or every_kind'", {
        "long pairs are trained on":
            ("training_pairs_within(self.settings.max_length, ", "training_pairs_within(None, "),
        "speed counts long pairs":
            ("tgt_sizes[~left_out(dataset.src_sizes, dataset.tgt_sizes, max_length)]", "tgt_sizes"),
    }),
    *mutants("stages", f"{FOLDER}/length_limit.py", LENGTHS, {
        "lengths without eos": ("else max_length + 1)", "else max_length)"),
        "eos does not count": ("limit = max_length + 1 ", "limit = max_length "),
        "the limit stays with the task":
            ("            del trainer.task.max_positions  # the method is back", "            pass"),
        "the limit stays with the trainer":
            ("    finally:\n        Trainer.get_train_iterator = batches_of_epoch", "    finally:\n        pass"),
        "the limit holds for one side": ("lambda: (limit, limit)", "lambda: (limit, 1024)"),
    }),
    *mutants("stages", f"{FOLDER}/journal.py", f"{TESTS}/test_journal.py", {
        "the last epoch is the best": ("key=lambda row: (row.dev_bleu, -row.epoch)", "key=lambda row: row.epoch"),
        "of equals the last": ("(row.dev_bleu, -row.epoch)", "(row.dev_bleu, row.epoch)"),
        "an equal epoch improves": ("row.dev_bleu > one.dev_bleu", "row.dev_bleu >= one.dev_bleu"),
        "patience ends an epoch early":
            ("0 < patience <= last - self.best().epoch", "0 < patience - 1 <= last - self.best().epoch"),
        "one epoch more": ("return last >= max_epoch or", "return last > max_epoch or"),
        "the earlier row of a repeated epoch":
            ("        self._rows[row.epoch] = row\n", "        self._rows.setdefault(row.epoch, row)\n"),
    }),
    *mutants("stages", f"{FOLDER}/loop.py", "tests/stages/training/test_mishaps.py -k 'suffice or timed'", {
        "an update without room is left out": ("partialmethod(update, raise_oom=True)", "update"),
        "an epoch is timed from the process's start": (
            "            begin(trainer, epoch)\n            self.returned = time.monotonic()\n",
            "            begin(trainer, epoch)\n",
        ),
    }),
    *mutants("stages", f"{FOLDER}/loop.py", f"{TRAINING} -k 'killed and close_epoch'", {
        "the log is saved without its epoch": ("            log_epoch(row.epoch)\n", ""),
    }),
    *mutants("stages", f"{FOLDER}/journal.py", f"{TRAINING} -k 'killed and close_epoch or leaves'", {
        "averages over two epochs in the log": ('    metrics.reset_meters("train_inner")\n', ""),
        "an epoch is logged twice": ("self.closed.add(row", "set().add(row"),
    }),
)  # fmt: skip
