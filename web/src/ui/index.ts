export { classes } from './classes.ts';
export {
  Button,
  type ButtonKind,
  type ButtonProps,
  IconButton,
  type IconButtonProps,
  LinkButton,
  type LinkButtonProps,
} from './controls/button.tsx';
export { Checkbox, CheckboxGroup, Radio, RadioGroup, Switch } from './controls/choices.tsx';
export { MultiSelect, type Option, SEARCHED_FROM, Select } from './controls/select.tsx';
export { FilterChip, Segmented, type TabName, TabPanel, Tabs } from './controls/tabs.tsx';
export {
  NumberField,
  PasswordField,
  SearchField,
  TextArea,
  TextField,
  type TextFieldProps,
} from './controls/text-field.tsx';
export { type Token, TokenField } from './controls/token-field.tsx';
export { Icon, iconNameOf } from './icons/icon.tsx';
export type { IconName } from './icons/names.ts';
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
export { BareDialog, Dialog } from './overlays/dialog.tsx';
export { Menu, MenuItem, MenuSection, MenuSeparator } from './overlays/menu.tsx';
export { Popover } from './overlays/popover.tsx';
export { Tooltip } from './overlays/tooltip.tsx';
export {
  AskingLine,
  EmptyPlace,
  ErrorPlace,
  Note,
  NoteAction,
  RequestId,
  Skeleton,
  Toast,
} from './states/states.tsx';
export { HtmlEditor } from './text/html-editor.tsx';
export { type Completion, MarkdownEditor, type MarkdownEditorProps } from './text/markdown-editor.tsx';
export { RelativeTime } from './text/relative-time.tsx';
export { RichText } from './text/rich-text.tsx';
export { TextDiff } from './text/text-diff.tsx';
