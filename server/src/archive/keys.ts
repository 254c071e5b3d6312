/** How archives name what is in them. Readers take any names; these are what every platform understands. */
export const trackerKey = (id: number) => `T${id}`;
export const fieldKey = (id: number) => `F${id}`;
export const valueKey = (id: number | string) => `V${id}`;
export const reportKey = (id: number) => `REPORT_${id}`;
export const rendererKey = (id: number) => `R${id}`;
export const fileKey = (id: number) => `fileinfo_${id}`;
export const changesetKey = (id: number) => `CHANGESET_${id}`;
/** Where the bytes of a file are. */
export const filePath = (id: number) => `data/Artifact${id}`;

/** Names of the permissions in archives. */
export const trackerPermissionName = (permission: string) =>
  permission === 'admin' ? 'PLUGIN_TRACKER_ADMIN' : `PLUGIN_TRACKER_ACCESS_${permission.toUpperCase()}`;
export const fieldPermissionName = (permission: string) => `PLUGIN_TRACKER_FIELD_${permission.toUpperCase()}`;

/** What a table has under a name of an archive, which may be that of something that every object has. */
export const found = <Thing>(table: Readonly<Record<string, Thing>>, key: string): Thing | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
