/*
 * The ground. Nothing here knows of anything above; every file stands for itself and is imported by its own name, so this door leads nowhere.
 *
 * viewer.ts   who acts: begin here; errors.ts refusals, without numbers of HTTP; soon.ts what is there already or will be; paging.ts, clock.ts, text.ts, numbers.ts, values.ts
 * config.ts   what the environment says, with every fault named at once; time-zone.ts a zone of it that Node does not know
 * events.ts   all that can happen, as one typed list
 * csv.ts, xml.ts, xml-text.ts, excerpt.ts, patterns.ts   texts of all kinds
 * metrics.ts, metric-text.ts, connection-counts.ts, named-rows.ts   numbers that threads share
 * fair-queue.ts   a few pieces of work at a time, of everybody in turn; places.ts the same for what holds something for long
 * room.ts, groups.ts, open-files.ts, folders.ts, work-files.ts, private-folder.ts   memory and disk
 * version.ts, addresses.ts, holder.ts, system-faults.ts, archive-limits.ts, quick-search.ts, s3-place.ts, unclaimed.ts, unfinished-restore.ts
 */
