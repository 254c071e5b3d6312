/* Files of every archive of a project. */

export const projectFile = 'project.xml';
export const usersFile = 'users.xml';
export const userMapFile = 'user_map.csv';
/** What the archive lacks of its project, for whoever opens it. */
export const leftOutFile = 'left-out.txt';
