import { onTestFinished } from 'vitest'
import { createTestApp, type Dialect } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'

/** Creates a test app with the member Ann, which sends its mails to a mail server. */
export async function createAppWithAnnAndMailServer(dialect: Dialect) {
  const { mails, url, close } = await startMailServer()
  onTestFinished(close)
  const app = await createTestApp({ dialect, env: { SMTP_URL: url, PUBLIC_URL: 'https://town.example' } })
  const { Ann } = await app.members('Ann')
  /** Returns the mails that have arrived, without the one that verifies the address. */
  const readNotices = async () => {
    await app.context.jobs.idle()
    return mails.filter(({ text }) => !text!.includes('/email/verify/'))
  }
  return { ...app, Ann, readNotices }
}
