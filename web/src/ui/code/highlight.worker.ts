import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cmake from 'highlight.js/lib/languages/cmake';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import objectivec from 'highlight.js/lib/languages/objectivec';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { HighlightAnswer, HighlightQuestion } from './highlight.ts';
import { tokenLines } from './tokens.ts';

const languages = {
  ...{ bash, c, cmake, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, less },
  ...{ lua, makefile, markdown, objectivec, perl, php, python, ruby, rust, scala, scss, sql, swift },
  ...{ typescript, xml, yaml },
};
for (const [name, language] of Object.entries(languages)) core.registerLanguage(name, language);

/** Off the page: long files are coloured while it stays quick. */
addEventListener('message', ({ data }: MessageEvent<HighlightQuestion>) => {
  const { id, text, language } = data;
  const begun = performance.now();
  const { value } = core.highlight(text, { language, ignoreIllegals: true });
  const answer: HighlightAnswer = { id, lines: tokenLines(value), took: performance.now() - begun };
  postMessage(answer);
});
