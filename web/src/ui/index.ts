/*
 * Controls without data: nothing here knows what it is used for.
 *
 * tokens.css, base.css, fonts.css   colours, sizes and letters; looks/ what styles of several rooms are composed of, and pages of settings
 * controls/  overlays/  marks/  states/  text/  code/  icons/   buttons and fields, what opens above a page, faces and dots, notes and waiting, editors and times, highlighted code, signs
 * classes.ts, later.ts, after-paint.ts, second-draw.ts, focus-back.ts, guards.ts (guarding.ts, focus-beside.ts, dropped-files.ts), copy-text.ts, use-media.ts, trusted-scripts.ts   names of classes, parts that arrive or are drawn later, what waits for a paint, where the focus goes, what comes with the first page and keeps it and the focus from getting lost, the clipboard, how wide the window is, and what the policy of the page asks for
 *
 * All of them can be used by keys and by screen readers; `/help/controls` shows every one.
 */

export { afterPaint } from './after-paint.ts';
export { classes } from './classes.ts';
export { CodeText } from './code/code-text.tsx';
export { useHighlighted } from './code/highlight.ts';
export { languageName, languageOfFile } from './code/languages.ts';
export type { TokenLine } from './code/tokens.ts';
export {
  Button,
  type ButtonKind,
  type ButtonProps,
  IconButton,
  type IconButtonProps,
  LinkButton,
  type LinkButtonProps,
} from './controls/button.tsx';
export { FilterChip } from './controls/filter-chip.tsx';
export { HeldKeys, holdKeys, typeKey } from './controls/held-keys.tsx';
export {
  Checkbox,
  CheckboxGroup,
  loadControls,
  MultiSelect,
  NumberField,
  PasswordField,
  Radio,
  RadioGroup,
  Select,
  Switch,
  TextArea,
  TextField,
  TokenField,
} from './controls/later-controls.tsx';
export { type Option, SEARCHED_FROM } from './controls/option.ts';
export { SearchField } from './controls/search-field.tsx';
export { Segmented, type TabName, TabPanel, Tabs } from './controls/tabs.tsx';
export type { TextFieldProps } from './controls/text-field.tsx';
export type { Token } from './controls/token-field.tsx';
export { copyText } from './copy-text.ts';
export { focusBack } from './focus-back.ts';
export { guardPage } from './guards.ts';
export { Icon, iconNameOf } from './icons/icon.tsx';
export type { IconName } from './icons/names.ts';
export { isArriving, type Later, later, loadTheRest } from './later.ts';
export { SettingsPage } from './looks/settings-page.tsx';
export { Face, Faces, initials, type Person } from './marks/face.tsx';
export { Key } from './marks/key.tsx';
export {
  Chip,
  type Colour,
  Count,
  coloured,
  Dot,
  EmptyDash,
  Logo,
  type Meaning,
  MeaningChip,
  NotSavedYet,
  StatusRing,
  type StatusStage,
  Tag,
  TrackerMark,
  Unseen,
} from './marks/marks.tsx';
export {
  type ColourName,
  colourNames,
  distinctColours,
  isColourName,
  readableColour,
} from './marks/palette.ts';
export { keepFocusInFront } from './overlays/behind.ts';
export { BareDialog, Dialog } from './overlays/dialog.tsx';
export { Menu, MenuItem, MenuSection, MenuSeparator } from './overlays/menu.tsx';
export { openDialogs } from './overlays/open-dialogs.ts';
export { Popover } from './overlays/popover.tsx';
export { Tooltip } from './overlays/tooltip.tsx';
export { useBackCloses } from './overlays/way-back.ts';
export { useSecondDraw } from './second-draw.ts';
export { RequestId } from './states/request-id.tsx';
export {
  AskingLine,
  EmptyPlace,
  ErrorPlace,
  Note,
  NoteAction,
  Skeleton,
  Toast,
} from './states/states.tsx';
export { AccessEditor, type LineRemark } from './text/access-editor.tsx';
export { HtmlEditor } from './text/html-editor.tsx';
export { RichText, TextDiff } from './text/later-texts.tsx';
export { type Completion, MarkdownEditor, type MarkdownEditorProps } from './text/markdown-editor.tsx';
export {
  QueryEditor,
  type QueryOption,
  type QueryOptions,
  type WrongPart,
} from './text/query-editor.tsx';
export { RelativeTime } from './text/relative-time.tsx';
export { trustedScript } from './trusted-scripts.ts';
export { useMedia } from './use-media.ts';
