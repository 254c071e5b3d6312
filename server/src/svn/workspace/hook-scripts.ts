/*
 * Hooks are run by Subversion with nothing around them: no path, no variables but those that Apache is told. So they use
 * nothing but what the shell itself can do, which also makes them fast. They hand their arguments to the platform, which
 * decides, and say to the person who commits what it answers.
 */

export const hookNames = ['pre-commit', 'post-commit', 'pre-revprop-change', 'post-revprop-change'] as const;
export type HookName = (typeof hookNames)[number];

/** Those that can refuse do so when the platform cannot be asked; the others must not spoil what is done already. */
export const canRefuse = (name: HookName) => name.startsWith('pre-');

/** The words of a hook that fails reach whoever commits; a commit stays as it is. A change of a message would be told as refused. */
const faultOf = (name: HookName) => (name === 'post-revprop-change' ? 0 : 1);

/** How those are told who committed while something was broken: by the hook itself, and by the platform. */
export const unasked = 'The platform could not be asked';
export const undecided = 'The platform could not decide about this.';

/** What comes of a commit that the platform did not hear of. */
export const afterwards = 'the commit is stored, and references and mails follow in a minute';

/** How often a hook tries to reach the platform, five times a second. */
const connectionTries = 15;

/** Texts end with a zero byte: secret, hook, number of arguments, arguments, what came on standard input. */
export const hookScript = (name: HookName) => `#!/bin/bash
# Written by the platform. Rules are settings of the repository: do not change this file.
export LC_ALL=C
fail() {
  echo "${unasked}${canRefuse(name) ? ', so nothing was changed. Try again in a moment' : `: ${afterwards}`}." >&2
  exit ${faultOf(name)}
}
given=
${name === 'pre-revprop-change' ? "IFS= read -r -d '' given" : ''}
trap fail PIPE
# A thread of the platform that has to be replaced does not listen for a moment. Reading from nobody is how the shell waits.
exec 4<> <(:)
for try in {1..${connectionTries}}; do
  { exec 3<>"/dev/tcp/127.0.0.1/$ATELIER_HOOK_PORT"; } 2>/dev/null && break
  [ "$try" = ${connectionTries} ] && fail
  read -r -t 0.2 -u 4 _
done
printf '%s\\0' "$ATELIER_HOOK_SECRET" ${name} "$#" "$@" "$given" >&3 2>/dev/null || fail
IFS= read -r -t 60 verdict <&3 || fail
IFS= read -r -d '' words <&3
[ -n "$words" ] && printf '%s' "$words" >&2
case "$verdict" in
  yes) exit 0 ;;
  no) exit ${faultOf(name)} ;;
  *) fail ;;
esac
`;
