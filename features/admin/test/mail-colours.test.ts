import { describe, expect, onTestFinished, test } from 'vitest'
import { accentPalettes } from '#core/community/accent-colour.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'
import { askToJoin } from '#tests/join-requests.ts'
import { startMailServer } from '#tests/mail-server.ts'

describe.each(dialectsInTurn())('the colour of mails on %s', (dialect) => {
  const { light, dark } = accentPalettes('#c0392b')

  async function open() {
    const { mails, url, close } = await startMailServer()
    onTestFinished(close)
    const app = await createTestApp({ dialect, env: { SMTP_URL: url } })
    const { Ann } = await app.members('Ann')
    const change = (changes: object) => Ann.send('PATCH', '/api/admin/settings', changes)
    /** Returns the HTML of the newest mail to an address, as the test's mail server received it. */
    const readMailTo = async (address: string) => {
      await app.context.jobs.idle()
      return mails.findLast(({ to }) => to?.[0]?.address === address)?.html ?? expect.unreachable(address)
    }
    return { app, Ann, change, readMailTo }
  }

  test('is the accent colour of the community at the moment', async () => {
    const { Ann, change, readMailTo } = await open()
    const readVerificationMail = async () => {
      expect((await Ann.post('/api/email/verification-notification')).status).toBe(200)
      return readMailTo('ann@engawa.example')
    }
    const colours = [light.accent, dark.accent, dark['on-accent']]
    const readColours = async () => {
      const html = await readVerificationMail()
      return colours.filter((colour) => html.includes(colour))
    }
    expect(await readColours()).toEqual([])
    await change({ accent_colour: '#c0392b' })
    expect(await readColours()).toEqual(colours)
    await change({ accent_colour: null })
    expect(await readColours()).toEqual([])
  })

  test('is the standard green for people who have no account', async () => {
    const { app, change, readMailTo } = await open()
    await change({ accent_colour: '#c0392b', who_can_join: 'approval', who_can_read: 'members' })
    expect((await askToJoin(app, 'Eve')).status).toBeLessThan(300)
    const html = await readMailTo('eve@engawa.example')
    expect(html).toContain('class="button"')
    for (const colour of [light.accent, dark.accent]) expect(html).not.toContain(colour)
  })
})
