import { hostname } from 'node:os'
import { findKeeper } from '#core/audit-log/keeper.ts'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { type WatchedServer, type WatchedState, watchedConditions, watchJobs } from '#core/health/watched.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMail } from '#core/mail/template.ts'
import { notifyOfServer } from '#features/notifications/server.ts'
import type { ServerCondition } from '#features/notifications/server-schemas.ts'
import { serverSentenceOf, serverSentences } from '#features/notifications/server-sentence-contract.ts'
import * as accounts from '#features/people/accounts.ts'
import { languageOf } from '#features/people/languages.ts'
import * as people from '#features/people/read.ts'

// Admins are told once when a condition begins, and once when it is over. `server_conditions` has what was
// told, so that neither a restart nor another process tells it again.

const conditions: Record<ServerCondition, (server: WatchedServer) => Promise<WatchedState>> = {
  ...watchedConditions,
  push: ({ db }) => watchJobs(db, ['push_delivery', 'push_summary']),
}

const FIRST_LOOK = 30_000
const INTERVAL = 5 * 60_000

export function startServerWatch(context: AppContext) {
  let running: Promise<unknown> = Promise.resolve()
  const look = () => {
    running = Promise.all([running, lookAtServer(context), findKeeper(context.db)?.follow?.()])
  }
  const first = setTimeout(look, FIRST_LOOK).unref()
  const timer = setInterval(look, INTERVAL).unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}

/** A look that fails changes nothing, and is a line in the log. */
export async function lookAtServer(context: AppContext, readSpace?: WatchedServer['readSpace']) {
  const server = { db: context.db, config: context.config, ...(readSpace && { readSpace }) }
  for (const [name, look] of Object.entries(conditions))
    try {
      const state = await look(server)
      if (isKnown(state)) await recordState(context, name as ServerCondition, state)
    } catch (error) {
      context.log.warn({ err: error, condition: name }, 'A condition of the server could not be looked at')
    }
}

type KnownState = WatchedState & { isOn: boolean }
const isKnown = (state: WatchedState): state is KnownState => state.isOn !== null

const hasPlace = (name: ServerCondition) => name === 'disk_low' || name === 'disk_full'

/** Tells the admins in the same transaction if the state has changed. */
const recordState = (context: AppContext, name: ServerCondition, state: KnownState) =>
  transaction(context.db, async (tx) => {
    const place = context.redis && hasPlace(name) ? hostname() : ''
    const changed_at = isoNow()
    const is_on = Number(state.isOn)
    await tx
      .insertInto('server_conditions')
      .values({ name, place, is_on: 0, changed_at })
      .onConflict((conflict) => conflict.columns(['name', 'place']).doNothing())
      .execute()
    const changed = await tx
      .updateTable('server_conditions')
      .set({ is_on, changed_at })
      .where('name', '=', name)
      .where('place', '=', place)
      .where('is_on', '!=', is_on)
      .returning('name')
      .execute()
    if (changed.length)
      await tellAdmins(context, tx, { name, state, is_over: !state.isOn, at: Date.parse(changed_at) })
  })

interface Change {
  name: ServerCondition
  state: KnownState
  is_over: boolean
  at: number
}

/** Mails go only to verified addresses. */
async function tellAdmins(context: AppContext, tx: Tx, change: Change) {
  const { name: condition, is_over, at } = change
  for (const id of await accounts.lockAdmins(tx)) {
    await notifyOfServer(context, tx, id, { condition, is_over, at })
    const admin = await people.findRecipient(tx, id)
    if (!admin?.email || !admin.email_verified_at) continue
    const lang = await languageOf(tx, id, context.settings.current().default_language ?? 'en')
    await enqueueMail(tx, id, createServerMail(context, { ...admin, email: admin.email, lang }, change))
  }
}

const button = { en: 'Show the health of the server', ja: 'サーバーの状態を見る' }
const where = {
  en: 'The same is in the notifications. You get another mail when it is over.',
  ja: 'アプリの「通知」にも表示されます。元に戻ったときに、もう一度メールでお知らせします。',
}

type Recipient = { name: string; email: string; lang: 'en' | 'ja' }

function createServerMail({ publicSite }: AppContext, { name, email, lang }: Recipient, change: Change) {
  const { state, is_over } = change
  const sentence = serverSentences[lang][serverSentenceOf(change.name, is_over)]
  const details = [state.finding, is_over ? undefined : state.advice].flatMap((text) => text?.[lang] ?? [])
  const stop = lang === 'ja' ? '。' : '.'
  return renderMail({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: lang === 'ja' ? `【${publicSite.name}】${sentence}` : `${publicSite.name}: ${sentence}`,
    paragraphs: [sentence + stop, ...details],
    button: { label: button[lang], link: `${publicSite.origin}/admin/health` },
    ...(!is_over && { closing: [where[lang]] }),
  })
}
