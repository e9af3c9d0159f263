import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language, Sentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import * as people from '#features/people/read.ts'
import * as attachments from '#features/posts/attachments.ts'
import { parse } from './content.ts'
import { MAX_SCHEDULED, type Scheduled } from './contract.ts'
import { scheduledPlace } from './tables.ts'

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
  const [persons, groups, attachmentsOf] = await Promise.all([
    readPeople(
      viewer,
      found.flatMap(({ kind, target_id }) => (kind === 'person' ? target_id! : [])),
    ),
    readGroups(viewer),
    attachments.read(viewer, scheduledPlace, ids),
  ])
  return found.map(({ id, kind, due_at, body, audience, target_id, refusal, ...row }) => {
    const { images, files } = attachmentsOf(id)
    const group = kind === 'group' ? target_id : row.group_id
    return {
      ...{ id, kind, due_at, text: body },
      ...(kind === 'post' && { audience: audience ?? 'everyone' }),
      ...(kind === 'person' && { person: persons.get(target_id!) ?? null }),
      ...(group != null && { group: groups.get(group) ?? null }),
      images,
      files: files.map(({ name }) => name),
      extras: Object.keys(row.extras),
      ...(refusal !== null && { reason: (JSON.parse(refusal) as Sentence)[lang] }),
    }
  })
}

/** By id: what features add to it when it is sent, and the message that it quotes. */
export async function partsById(viewer: MemberContext) {
  const rows = await ownRows(viewer)
  return new Map(
    rows.map(({ id, content }) => {
      const { extras, quotes_id } = parse(content)
      return [id, { extras, ...(quotes_id != null && { quotes_id }) }] as const
    }),
  )
}

async function readPeople(viewer: MemberContext, ids: readonly number[]) {
  const rows = ids.length ? await people.rows(viewer).where('users.id', 'in', ids).execute() : []
  return new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

async function readGroups({ db, groups, me }: MemberContext) {
  const { rows } = await sql<GroupOfMember>`select * from (${groups.groupsOf(me.id)}) own`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, { id, name }]))
}
