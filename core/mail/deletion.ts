import { createHmac } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import type { Config } from '#core/config.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import { type Tx, toLikePattern } from '#core/database/database.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import type { JobHandler } from '#core/jobs/runner.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobKinds {
    /** `address_hash` is an HMAC, so that the job does not contain the address that it deletes. */
    delete_mail_files: { address_hash: string }
  }
}

/**
 * Deletes the mails to an address that wait to be sent, in the transaction that deletes the account. The
 * files of DATA_DIR/mail to this address are deleted by a job, so that they go even if the process is killed.
 */
export async function deleteMailsTo(config: Config, tx: Tx, address: string) {
  await tx
    .deleteFrom('jobs')
    .where('kind', '=', 'mail')
    .where('payload', 'like', toLikePattern(`"to":${JSON.stringify(address)}`))
    .execute()
  await enqueueJob(tx, 'delete_mail_files', { address_hash: hashAddress(config, address) })
}

/** Creates the handler of the jobs that delete the files of mails to one address. */
export const createMailFileDeletionHandler =
  (config: Config): JobHandler<'delete_mail_files'> =>
  async ({ address_hash }) => {
    const folder = join(config.DATA_DIR, 'mail')
    // The folder does not exist on a server that has always had SMTP_URL.
    for (const name of await readdir(folder).catch(() => [])) {
      const recipient = findRecipient(await readFile(join(folder, name), 'utf8'))
      if (recipient && areSecretsEqual(hashAddress(config, recipient), address_hash))
        await rm(join(folder, name), { force: true })
    }
  }

/** Returns the address in the header `To` of a mail. */
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
