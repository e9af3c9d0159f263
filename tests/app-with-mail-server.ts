import { onTestFinished } from 'vitest'
import { createTestApp, type TestDatabaseDialect } from '#tests/harness.ts'
import { startTestMailServer } from '#tests/mail-server.ts'

/**
 * Creates a test app that sends its mails to a mail server of the test. Its only member, Ann, is the admin.
 */
export async function createTestAppWithAnnAndMailServer(dialect: TestDatabaseDialect) {
  const { mails, url, close } = await startTestMailServer()
  onTestFinished(close)
  const app = await createTestApp({ dialect, env: { SMTP_URL: url, PUBLIC_URL: 'https://town.example' } })
  const { Ann } = await app.members('Ann')
  /**
   * Waits for the jobs of the app. Then returns the mails that the mail server has received, except mails
   * with a link that verifies an e-mail address.
   */
  const readNotices = async () => {
    await app.context.jobs.idle()
    return mails.filter(({ text }) => !text!.includes('/email/verify/'))
  }
  return { ...app, Ann, readNotices }
}
