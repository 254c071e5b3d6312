import { expect, test } from 'vitest';
import { readUnifiedDiff, withoutBlanks } from '../../src/kernel/unified-diff.ts';

const line = '='.repeat(67);
const text = `Modified: trunk/a b.ts
${line}
--- trunk/a b.ts	2026-11-16 08:26:19 UTC (rev 2)
+++ trunk/a b.ts	2026-11-16 08:26:19 UTC (rev 3)
@@ -1,3 +1,3 @@
 one
-Index: two
-${line}
+two
+three
\\ No newline at end of file

Property changes on: trunk/a b.ts
${'_'.repeat(67)}
Added: svn:executable
## -0,0 +1 ##
+*
Index: logo.png
${line}
Cannot display: file marked as a binary type.
svn:mime-type = application/octet-stream
Index: logo.png
${line}
--- logo.png	(nonexistent)
+++ logo.png	(rev 5)

Property changes on: logo.png
${'_'.repeat(67)}
Added: svn:mime-type
## -0,0 +1 ##
+application/octet-stream
\\ No newline at end of property
Copied: tags/f2 (from rev 4, trunk/f)
${line}
--- tags/f2	                        (rev 0)
+++ tags/f2	2026-11-16 08:26:19 UTC (rev 5)
@@ -0,0 +1 @@
+a
`;

test('differences are read by their counts, whatever is written in the lines', () => {
  const [changed, picture, copied] = readUnifiedDiff(text);
  expect(changed).toMatchObject({ path: 'trunk/a b.ts', change: 'changed', added: 2, removed: 2 });
  expect(changed?.parts[0]?.lines).toEqual([
    { kind: 'same', text: 'one', before: 1, after: 1 },
    { kind: 'removed', text: 'Index: two', before: 2 },
    { kind: 'removed', text: line, before: 3 },
    { kind: 'added', text: 'two', after: 2 },
    { kind: 'added', text: 'three', after: 3 },
  ]);
  expect(changed?.properties).toEqual(['Added: svn:executable', '## -0,0 +1 ##', '+*']);
  expect(picture).toMatchObject({ path: 'logo.png', isBinary: true, change: 'added', parts: [] });
  expect(picture?.properties).toEqual(['Added: svn:mime-type', '## -0,0 +1 ##', '+application/octet-stream']);
  expect(copied).toMatchObject({ path: 'tags/f2', change: 'copied', added: 1 });
  expect(readUnifiedDiff('')).toEqual([]);
  expect(readUnifiedDiff('nonsense\n@@ -1 +1 @@\n-a')).toEqual([]);
});

test('changes of blanks alone can be left aside', () => {
  const changed = [
    { kind: 'removed', text: 'a  b', before: 1 },
    { kind: 'added', text: '  a b', after: 1 },
  ] as const;
  expect(withoutBlanks(changed)).toEqual([{ kind: 'same', text: '  a b', before: 1, after: 1 }]);
});
