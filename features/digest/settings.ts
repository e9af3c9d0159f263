import { createHmac } from 'node:crypto'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import * as credentials from '#features/people/credentials.ts'
import * as people from '#features/people/read.ts'
import type { DigestFrequency, DigestSettings } from './contract.ts'

/**
 * Only after more than a week without a visit: a member who visits every week gets no mail, and one who stays
 * away for long still learns of an invitation. A link in each mail ends the digests. Members without a
 * verified address get none.
 */
export const DEFAULT_FREQUENCY: DigestFrequency = 'weekly'

export async function getFrequency(db: Db, user: number) {
  const row = await db
    .selectFrom('digest_settings')
    .select('frequency')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.frequency ?? DEFAULT_FREQUENCY
}

export async function get({ db, me }: Pick<MemberContext, 'db' | 'me'>): Promise<DigestSettings> {
  const recipient = await people.findRecipient(db, me.id)
  return {
    frequency: await getFrequency(db, me.id),
    has_verified_email: Boolean(recipient?.email && recipient.email_verified_at),
  }
}

/** Newest first, at most 100. Rows are deleted after 60 days. */
export const listTimes = ({ db, me }: Pick<MemberContext, 'db' | 'me'>) =>
  db
    .selectFrom('digests')
    .select(['created_at', 'sent_at'])
    .where('user_id', '=', me.id)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()

const saveFrequency = (tx: Tx, user_id: number, frequency: DigestFrequency) =>
  tx
    .insertInto('digest_settings')
    .values({ user_id, frequency })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ frequency }))
    .execute()

export const save = (context: MemberContext & { session: { token: string } }, frequency: DigestFrequency) =>
  transaction(context.db, async (tx) => {
    await credentials.lockOwn(tx, context)
    await saveFrequency(tx, context.me.id, frequency)
  })

type TokenConfig = Pick<AppContext, 'config'>

const signUser = ({ config }: TokenConfig, user: number) =>
  createHmac('sha256', config.SECRET).update(`digest unsubscribe ${user}`).digest('base64url')

/** The link works without a log-in. The token never expires, because members keep mails. */
export const createToken = (context: TokenConfig, user: number) => `${user}.${signUser(context, user)}`

/** 422 for a wrong token. */
export async function unsubscribe(context: AppContext, token: string) {
  const [id = '', signature = ''] = token.split('.')
  const user = Number(id)
  if (!areSecretsEqual(signature, signUser(context, user)))
    throw fieldError('token', {
      en: 'The link is not valid.',
      ja: 'このリンクは使えません。',
    })
  await transaction(context.db, async (tx) => {
    // Changes nothing if the account was deleted.
    if (await people.findRecipient(tx, user)) await saveFrequency(tx, user, 'never')
  })
}
