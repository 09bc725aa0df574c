"""Part-of-speech classes of words: tags of the corpus itself, jieba for Chinese, HanTa for English and German."""
