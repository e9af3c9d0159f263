import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError, httpErrors } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import * as credentials from '#features/people/credentials.ts'
import * as sessions from '#features/people/sessions.ts'
import { MAX_DEVICES, type PushDevice, type PushPrivacy, type SubscriptionInput } from './contract.ts'
import { areKeysValid, isAllowedUrl } from './push-service.ts'
import * as read from './read.ts'
import * as results from './results.ts'

interface Subscriber extends MemberContext {
  session: { token: string }
}

const createEndpointError = () =>
  fieldError('endpoint', {
    en: 'This is not the address of a push service.',
    ja: '通知を登録できませんでした。ページを再読み込みして、もう一度お試しください。',
  })
const createKeysError = () =>
  fieldError('keys', {
    en: 'These are not the keys of a browser.',
    ja: '通知を登録できませんでした。ページを再読み込みして、もう一度お試しください。',
  })
const tooManyDevices = () =>
  new HttpError(422, {
    en: `At most ${MAX_DEVICES} devices can receive notifications. Remove one first.`,
    ja: `通知を受け取れる端末は${MAX_DEVICES}台までです。先に1台を削除してください。`,
  })

/**
 * Deletes the earlier subscriptions of the same session and the same push URL: a browser has only one, also
 * after another member has logged in there.
 */
export async function saveSubscription(context: Subscriber, { endpoint, keys }: SubscriptionInput) {
  const { db, config, me, session } = context
  if (!isAllowedUrl(endpoint, config)) throw createEndpointError()
  if (!areKeysValid(keys)) throw createKeysError()
  const session_hash = hashSession(session.token)
  return transaction(db, async (tx): Promise<PushDevice> => {
    await credentials.lockOwn(tx, context)
    await deleteSubscriptions(
      context,
      tx,
      await tx
        .selectFrom('push_subscriptions')
        .select(['id', 'user_id', 'session_hash'])
        .where((row) => row.or([row('endpoint', '=', endpoint), row('session_hash', '=', session_hash)]))
        .execute(),
    )
    if ((await read.countDevices(tx, me.id)) >= MAX_DEVICES) throw tooManyDevices()
    const row = { user_id: me.id, session_hash, endpoint, ...keys, created_at: isoNow() }
    const { id, created_at } = await tx
      .insertInto('push_subscriptions')
      .values({ ...row, last_sent_at: null })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow()
    const device = await sessions.findDevice(tx, session_hash)
    return { id, device, created_at, last_sent_at: null, is_current: true }
  })
}

/** At most two, with their queues. */
async function deleteSubscriptions(
  context: Pick<MemberContext, 'emit'>,
  tx: Tx,
  subscriptions: readonly { id: number; user_id: number; session_hash: string }[],
) {
  for (const { id, user_id, session_hash } of subscriptions) {
    const name = await sessions.findDevice(tx, session_hash)
    await results.dropQueue(context, tx, { id, user_id, name })
    await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute()
  }
}

/** 404 if the member has no such subscription. */
export const removeDevice = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const own = await read.findOwn({ ...context, db: tx }, id)
    if (!own) throw httpErrors.notFound()
    await deleteSubscriptions(context, tx, [own])
  })

export const savePrivacy = (context: Subscriber, privacy: PushPrivacy) =>
  transaction(context.db, async (tx) => {
    await credentials.lockOwn(tx, context)
    await tx
      .insertInto('push_settings')
      .values({ user_id: context.me.id, privacy })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ privacy }))
      .execute()
  })
