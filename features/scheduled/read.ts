import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language, Sentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import * as people from '#features/people/read.ts'
import { readImages } from '#features/posts/read-images.ts'
import { parse } from './content.ts'
import { MAX_SCHEDULED, type Scheduled } from './contract.ts'

export async function count({ db, me }: { db: Db; me: { id: number } }) {
  const row = await db
    .selectFrom('scheduled')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count) }
}

const ownRows = ({ db, me }: MemberContext) =>
  db
    .selectFrom('scheduled')
    .selectAll()
    .where('user_id', '=', me.id)
    .orderBy('due_at')
    .orderBy('id')
    .limit(MAX_SCHEDULED)
    .execute()

/** What comes first is first. */
export async function list(viewer: MemberContext, lang: Language): Promise<Scheduled[]> {
  const found = (await ownRows(viewer)).map((row) => ({ ...row, ...parse(row.content) }))
  const ids = found.map(({ id }) => id)
  const [persons, groups, images, files] = await Promise.all([
    readPeople(
      viewer,
      found.flatMap(({ kind, target_id }) => (kind === 'person' ? target_id! : [])),
    ),
    readGroups(viewer),
    readImages(viewer, 'scheduled_media', 'scheduled_id', ids),
    readFiles(viewer, ids),
  ])
  return found.map(({ id, kind, due_at, body, audience, target_id, refusal, ...row }) => {
    const group = kind === 'group' ? target_id : row.group_id
    return {
      ...{ id, kind, due_at, text: body },
      ...(kind === 'post' && { audience: audience ?? 'everyone' }),
      ...(kind === 'person' && { person: persons.get(target_id!) ?? null }),
      ...(group != null && { group: groups.get(group) ?? null }),
      images: images.get(id) ?? [],
      files: (files.get(id) ?? []).map(({ file_name }) => file_name!),
      extras: Object.keys(row.extras),
      ...(refusal !== null && { reason: (JSON.parse(refusal) as Sentence)[lang] }),
    }
  })
}

async function readPeople(viewer: MemberContext, ids: readonly number[]) {
  const rows = ids.length ? await people.rows(viewer).where('users.id', 'in', ids).execute() : []
  return new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

async function readGroups({ db, groups, me }: MemberContext) {
  const { rows } = await sql<GroupOfMember>`select * from (${groups.groupsOf(me.id)}) own`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, { id, name }]))
}

export async function readFiles({ db }: Pick<MemberContext, 'db'>, ids: readonly number[]) {
  if (!ids.length) return new Map<number, never[]>()
  const rows = await db
    .selectFrom('scheduled_media as m')
    .innerJoin('media as d', 'd.name', 'm.media')
    .select(['m.scheduled_id', 'd.name', 'd.file_name'])
    .where('m.scheduled_id', 'in', ids)
    .where('d.file_name', 'is not', null)
    .orderBy('m.position')
    .execute()
  return Map.groupBy(rows, ({ scheduled_id }) => scheduled_id)
}
