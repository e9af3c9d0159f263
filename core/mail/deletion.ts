import { createHmac } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import type { Config } from '#core/config.ts'
import { likePattern, type Tx } from '#core/database/database.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import type { JobHandler } from '#core/jobs/runner.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import { accountOfFile } from './files.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The job that deletes the files of mails that belong to the account `user_id` (null: to no account) and
     * go to an address (null: to any). `address_hash` is an HMAC, so that the job does not contain the
     * address.
     */
    delete_mail_files: { user_id: number | null; address_hash: string | null }
  }
}

interface MailSelection {
  /** The id of the account to which the selected mails belong; null for mails that belong to no account. */
  user_id: number | null
  /** The address to which the selected mails go; null for any address. */
  to: string | null
}

/**
 * Deletes all mails of an account, in the transaction that deletes the account: the mails that wait to be
 * sent at once, and their files in DATA_DIR/mail by a job. Mails of version 0.2 do not name their account,
 * so they are found by the account's `address`; null if it has none.
 */
export async function deleteMails(config: Config, tx: Tx, user_id: number, address: string | null) {
  await deleteQueued(config, tx, { user_id, to: null })
  if (address !== null) await deleteQueued(config, tx, { user_id: null, to: address })
}

/**
 * Deletes the selected mails that wait to be sent, in the given transaction. A job deletes the files of the
 * selected mails in DATA_DIR/mail, so that they are deleted even if the process is killed meanwhile.
 */
export async function deleteQueued(config: Config, tx: Tx, { user_id, to }: MailSelection) {
  const account = '"user_id":'
  const isOfAccount =
    user_id === null
      ? sql<boolean>`(payload not like ${`{${account}%`} or payload like ${`{${account}null,%`})`
      : sql<boolean>`payload like ${`{${account}${user_id},%`}`
  const recipient = to === null ? '%' : likePattern(`"to":${JSON.stringify(to)}`)
  await tx
    .deleteFrom('jobs')
    .where('kind', '=', 'mail')
    .where(isOfAccount)
    .where(sql<boolean>`payload like ${recipient} escape '\\'`)
    .execute()
  const address_hash = to === null ? null : hashAddress(config, to)
  await enqueueJob(tx, 'delete_mail_files', { user_id, address_hash })
}

export const fileDeletionHandler =
  (config: Config): JobHandler<'delete_mail_files'> =>
  async ({ user_id, address_hash }) => {
    const folder = join(config.DATA_DIR, 'mail')
    // Ignores a missing folder: a server that has always had SMTP_URL has none.
    for (const name of await readdir(folder).catch(() => [])) {
      if (accountOfFile(name) !== user_id) continue
      const path = join(folder, name)
      if (address_hash === null || (await hasRecipient(config, path, address_hash)))
        await rm(path, { force: true })
    }
  }

async function hasRecipient(config: Config, path: string, address_hash: string) {
  // Ignores a missing file, because a mail job may delete it at the same time.
  const recipient = findRecipient(await readFile(path, 'utf8').catch(() => ''))
  return recipient !== undefined && areSecretsEqual(hashAddress(config, recipient), address_hash)
}

function findRecipient(mail: string) {
  const headers = mail.slice(0, mail.indexOf('\r\n\r\n'))
  return /^To:\s*<?([^\r\n>]+)/im.exec(headers)?.[1]
}

/** Hashes an address as it stands in a mail: with the domain in ASCII. */
function hashAddress({ SECRET }: Config, address: string) {
  const at = address.lastIndexOf('@')
  const written = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
  return createHmac('sha256', SECRET).update(`mail files ${written}`).digest('base64url')
}
