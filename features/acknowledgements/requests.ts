import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { lockMembers } from '#features/people/blocks.ts'
import * as read from './read.ts'

/** Locks the request until the commit: its author cannot end it meanwhile. 404 as `read.requireRequest`. */
export async function lock(context: MemberContext, tx: Tx, id: number, mode: 'share' | 'update') {
  await lockMembers(tx, [context.me.id])
  if (isPostgres(tx))
    await sql`select post_id from acknowledgement_requests where post_id = ${id}
      ${mode === 'share' ? sql`for share` : sql`for update`}`.execute(tx)
  return read.requireRequest({ ...context, db: tx }, id)
}

/** 404 as `read.requireRequest`, 403 for others than the author. */
export async function lockOwn(context: MemberContext, tx: Tx, id: number) {
  const request = await lock(context, tx, id, 'update')
  await read.requireAuthor({ ...context, db: tx }, id, request.author)
  return request
}

export const ended = () =>
  new HttpError(403, {
    en: 'This has ended. Answers no longer change.',
    ja: '受付は終わりました。もう変更できません。',
  })
