import { onTestFinished } from 'vitest'
import { createTestApp, type Dialect } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'

/**
 * Creates a test app that sends its mails to an SMTP server of the test. Its only member, Ann, is the admin.
 */
export async function appWithMailServer(dialect: Dialect) {
  const { mails, url, close } = await startMailServer()
  onTestFinished(close)
  const app = await createTestApp({ dialect, env: { SMTP_URL: url, PUBLIC_URL: 'https://town.example' } })
  const { Ann } = await app.members('Ann')
  /**
   * Waits until the app has run its jobs. Then returns all mails that the SMTP server has received,
   * except those with a link that verifies an email address.
   */
  const readNotices = async () => {
    await app.context.jobs.idle()
    return mails.filter(({ text }) => !text!.includes('/email/verify/'))
  }
  return { ...app, Ann, readNotices }
}
