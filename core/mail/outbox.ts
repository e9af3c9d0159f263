import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type ExpressionBuilder, type Generated, sql } from 'kysely'
import type { Config } from '#core/config.ts'
import { type Db, type Migrations, now, type Tables } from '#core/database/database.ts'

export interface MailTables {
  mails: {
    id: Generated<number>
    recipient: string
    subject: string
    body_text: string
    body_html: string
    /** What the mail is for, so that the log can show it where mails are only written to files. */
    link: string | null
    created_at: string
    /** When it is to be tried next. */
    due_at: string
    tries: Generated<number>
    sent_at: string | null
    failed_at: string | null
    error: string | null
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends MailTables {}
}

export const migrations: Migrations = {
  'mail 1': ({ id }) => [
    `create table mails (
      id ${id}, recipient text not null, subject text not null, body_text text not null, body_html text not null, link text,
      created_at text not null, due_at text not null, tries integer not null default 0, sent_at text, failed_at text, error text)`,
    'create index mails_due on mails (due_at) where sent_at is null and failed_at is null',
  ],
}

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  link?: string
}

/** Puts a letter into the outbox; it leaves once the transaction is committed and `wake` is called. */
export const post = (tx: Db, { to, subject, text, html, link }: Letter) =>
  tx
    .insertInto('mails')
    .values({
      recipient: to,
      subject,
      body_text: text,
      body_html: html,
      link: link ?? null,
      created_at: now(),
      due_at: now(),
    })
    .execute()

const MINUTE = 60_000
/** Waits before the next try: RFC 5321 (4.5.4.1) asks for a growing one, and for giving up after days. */
const WAITS = [1, 5, 15, 60, 180, 360, 720, 1440, 1440].map((minutes) => minutes * MINUTE)
/** A mail that is being sent belongs to its process for so long; then another may take it. */
const LEASE = 5 * MINUTE
/** How long a stop waits for the mail that is being sent. */
const FAREWELL = 4000

export interface Mail {
  /** Looks into the outbox now. */
  wake(): void
  /** Resolves when nothing that is due is left. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Carries the outbox to SMTP or, without SMTP_URL, to .eml files in DATA_DIR/mail. `waits` in ms. */
export function startMail(
  db: Db,
  config: Config,
  log: FastifyBaseLogger,
  waits: readonly number[] = WAITS,
): Mail {
  const deliver = config.SMTP_URL ? smtp(config.SMTP_URL) : files(join(config.DATA_DIR, 'mail'), log)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let closed = false

  const wake = () => {
    if (closed) return
    clearTimeout(timer)
    if (running) again = true
    else
      running = work()
        .catch((error) => log.error({ err: error }, 'The outbox could not be read'))
        .finally(() => {
          running = null
          if (again) wake()
          else schedule()
        })
  }

  async function work() {
    again = false
    while (!closed) {
      const mail = await claim(db)
      if (!mail) return
      await send(mail)
    }
  }

  async function send(mail: Claimed) {
    try {
      await deliver(
        {
          from: config.MAIL_FROM,
          to: mail.recipient,
          subject: mail.subject,
          text: mail.body_text,
          html: mail.body_html,
        },
        mail,
      )
      await db
        .updateTable('mails')
        .set({ sent_at: now(), error: null, ...wordless })
        .where('id', '=', mail.id)
        .execute()
      log.info({ mail: mail.id, tries: mail.tries }, 'Mail sent')
    } catch (error) {
      await postpone(mail, error as SmtpError)
    }
  }

  async function postpone(mail: Claimed, error: SmtpError) {
    const wait = isFinal(error) ? undefined : waits[mail.tries - 1]
    const reason = String(error.response ?? error.message).slice(0, 500)
    const change =
      wait === undefined
        ? { failed_at: now(), ...wordless }
        : { due_at: new Date(Date.now() + wait).toISOString() }
    await db
      .updateTable('mails')
      .set({ ...change, error: reason })
      .where('id', '=', mail.id)
      .execute()
    log.warn({ mail: mail.id, tries: mail.tries, reason, givenUp: wait === undefined }, 'Mail not sent')
  }

  async function schedule() {
    if (closed) return
    const next = await waiting(db)
      .select('due_at')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
      .catch(() => ({ due_at: new Date(Date.now() + MINUTE).toISOString() })) // the database is away; so was told when the outbox was read
    if (!next || closed || running) return
    timer = setTimeout(wake, Math.min(Math.max(Date.parse(next.due_at) - Date.now(), 0), 60 * MINUTE)) // the clock may be set meanwhile
    timer.unref()
  }

  wake()
  return {
    wake,
    settled: async () => {
      while (running) await running
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      // A server that does not answer is not waited for: the lease brings the mail again.
      await Promise.race([running, sleep(FAREWELL, undefined, { ref: false })])
    },
  }
}

/** The link in a mail is a secret: once it is on its way, or given up, the words are gone from here. */
const wordless = { body_text: '', body_html: '', link: null }

interface SmtpError extends Error {
  code?: string
  responseCode?: number
  response?: string
}
/** The server will not have this recipient or this mail, however often it is tried (RFC 5321, 4.2.1). */
const isFinal = ({ code, responseCode = 0 }: SmtpError) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500

const waiting = (db: Db) => db.selectFrom('mails').where('sent_at', 'is', null).where('failed_at', 'is', null)

/** Mails that are still to be sent. */
export const waitingMails = async (db: Db) =>
  Number((await waiting(db).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count)

/** Due, or due so late that the clock must have been ahead when it was put off. */
function isDue() {
  const [at, never] = [now(), new Date(Date.now() + Math.max(...WAITS) + LEASE).toISOString()]
  return (q: ExpressionBuilder<Tables, 'mails'>) => q.or([q('due_at', '<=', at), q('due_at', '>', never)])
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>
/** Takes the mail that has waited longest; the outer conditions are checked again where two processes reach for the same. */
const claim = (db: Db) => {
  const due = isDue()
  return db
    .updateTable('mails')
    .set((q) => ({ tries: q('tries', '+', 1), due_at: new Date(Date.now() + LEASE).toISOString() }))
    .where('id', '=', waiting(db).select('id').where(due).orderBy('due_at').limit(1))
    .where(due)
    .where('sent_at', 'is', null)
    .returning(['id', 'recipient', 'subject', 'body_text', 'body_html', 'link', 'tries'])
    .executeTakeFirst()
}

interface Envelope {
  from: string
  to: string
  subject: string
  text: string
  html: string
}
type Deliver = (envelope: Envelope, mail: Claimed) => Promise<unknown>

/** Loaded with the first mail. */
const transportOf = async (options: object) => (await import('nodemailer')).createTransport(options)

const smtp = (url: string): Deliver => {
  const patience = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }
  return async (envelope) => (await transportOf({ url, ...patience })).sendMail(envelope)
}

const files = (folder: string, log: FastifyBaseLogger): Deliver => {
  mkdirSync(folder, { recursive: true })
  return async (envelope, mail) => {
    const transport = await transportOf({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message } = await transport.sendMail(envelope)
    const file = join(folder, `${String(mail.id).padStart(6, '0')}.eml`)
    await writeFile(file, message as Buffer)
    log.info({ file, to: envelope.to, link: mail.link }, 'No SMTP_URL: the mail was written to a file')
  }
}
