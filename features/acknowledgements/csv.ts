import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { yieldPages } from '#core/feature/exports.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import { csvDownload } from '#core/http/csv.ts'
import { createFormatters } from '#core/text/times.ts'
import * as posts from '#features/posts/read.ts'
import type { Reader, ReaderState } from './contract.ts'
import * as read from './read.ts'

const texts = {
  en: {
    head: ['Name', 'Group', 'Answer', 'Time', 'Answered by'],
    ...{ read: 'read', waiting: 'not yet', later: 'came later' },
  },
  ja: {
    head: ['名前', 'グループ', '回答', '回答した時刻', '回答した人'],
    ...{ read: '読みました', waiting: 'まだ', later: 'あとから参加' },
  },
} satisfies Record<Language, object>

/** All that the lists show, for spreadsheets. 404 and 403 as `read.readers`. */
export async function file(context: MemberContext & { lang: Language }, id: number) {
  const t = texts[context.lang]
  const group = await findGroupName(context, id)
  const zone = context.settings.current().time_zone ?? 'UTC'
  const { toIsoMinute } = createFormatters(context.lang, zone)
  const lines = [t.head]
  const toLine = ({ user, read_at, by }: Reader, state: ReaderState) => [
    ...[user.name, group, state === 'later' && read_at !== null ? `${t.read}（${t.later}）` : t[state]],
    ...[read_at === null ? '' : toIsoMinute(read_at), by?.name ?? (read_at === null ? '' : user.name)],
  ]
  for (const state of ['read', 'waiting', 'later'] as const)
    for await (const page of yieldPages((params) => read.readers(context, { id, state, ...params })))
      lines.push(...page.map((reader) => toLine(reader, state)))
  return csvDownload(`post-${id}.csv`, lines)
}

/** Empty if the audience is no group, or one that the viewer has left. */
async function findGroupName(context: MemberContext, id: number) {
  const { group_id = 0 } = await posts.get(context, id)
  const own = sql<GroupOfMember>`select name from (${context.groups.groupsOf(context.me.id)}) own_groups
    where id = ${group_id}`
  return (await own.execute(context.db)).rows[0]?.name ?? ''
}
