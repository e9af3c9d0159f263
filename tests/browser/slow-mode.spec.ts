import type { Page } from '@playwright/test'
import { submitLogIn } from './account-helpers.ts'
import { messageBox, messageLog } from './chat-helpers.ts'
import { expect, expectAccessible, fetchJson, PASSWORD, test } from './fixture.ts'

/**
 * Writes messages and sends them one after another. Holds back the first request until all messages are
 * written, because the message box sends nothing more once slow mode has begun.
 */
async function sendBeforeSlowModeBegins(page: Page, texts: readonly string[]) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/group-messages/send', async (route) => {
    await released
    await route.continue()
  })
  for (const text of texts) {
    await messageBox(page).fill(text)
    await messageBox(page).press('Control+Enter')
    await expect(messageBox(page)).toHaveValue('')
  }
  release()
}

test('slow mode makes a member wait, keeps the typed text, and sends it after the wait', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name: 'Club' })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  const box = ben.page.getByRole('textbox', { name: 'Enter your message' })
  const send = ben.page.getByRole('button', { name: 'Send', exact: true })
  const log = ben.page.getByRole('log')
  await box.fill('First')
  await box.press('Control+Enter')
  await expect(log).toContainText('First')

  await aya.page.getByRole('button', { name: 'More', exact: true }).click()
  await aya.page.getByRole('button', { name: 'Slow mode', exact: true }).click()
  await aya.page.getByRole('radio', { name: '10 seconds' }).check()
  await aya.page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(log).toContainText('Aya turned on slow mode')
  await expect(ben.page.getByText('Slow mode: one message every 10 seconds.')).toBeVisible()

  await box.fill('Second')
  await box.press('Control+Enter')
  await expect(log).toContainText('Second')
  await expect(ben.page.getByRole('timer')).toContainText('You can send your next message in')
  await box.fill('Third')
  await expect(send).toBeDisabled()
  await box.press('Control+Enter')
  await expect(box).toHaveValue('Third')
  await expect(send).toBeEnabled()
  await box.press('Control+Enter')
  await expect(log).toContainText('Third')
  await expect(log.locator('[data-failed]')).toHaveCount(0)
})

test('a waiting message can be deleted, follows changes of slow mode, and is not sent after another member has logged in in the same tab', async ({
  admin,
  member,
}) => {
  const [aya, ben, cleo] = [await admin('Aya'), await member('Ben'), await member('Cleo')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name: 'Club' })
  for (const { id } of [ben, cleo])
    await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  const setSlowMode = (seconds: number) =>
    fetchJson(aya.page, 'PUT', `/api/groups/${group.id}/slow-mode`, { seconds })
  await setSlowMode(900)
  const { page } = ben
  const [box, log, timer] = [messageBox(page), messageLog(page), page.getByRole('timer')]
  const waiting = log.locator('[data-sending]')
  await page.clock.install()
  await page.goto(`/group-chat/${group.id}`)
  await sendBeforeSlowModeBegins(page, ['First', 'Second', 'Third'])
  await expect(timer).toHaveText(/in 1[45]:\d\d\.$/)
  await expect(waiting).toHaveText([/SecondWaiting/, /ThirdSending/])
  await log.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(waiting).toHaveText([/ThirdWaiting/])
  await expect(box).toBeFocused()
  await setSlowMode(3600)
  await expect(timer).toHaveText(/in (59|60):\d\d\.$/)
  await setSlowMode(900)
  await expect(timer).toHaveText(/in 1[45]:\d\d\.$/)

  await page.getByRole('button', { name: 'Profile: Ben' }).click()
  await page.getByRole('link', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Delete and log out' }).click()
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await submitLogIn(page, cleo.email, PASSWORD)
  await expect(page.getByRole('button', { name: 'Profile: Cleo' })).toBeVisible()
  await page.clock.fastForward('20:00')
  await page.goto(`/group-chat/${group.id}`)
  await sendBeforeSlowModeBegins(page, ['Fourth', 'Fifth'])
  await expect(log.locator('[data-message]')).toHaveText([/First/, /Fourth/])
  await expect(waiting).toHaveText([/FifthWaiting/])
  await setSlowMode(0)
  await expect(waiting).toHaveCount(0)
  await expect(log.locator('.message .bubble')).toHaveText(['First', 'Fourth', 'Fifth'])
})

test('only chosen people write: the others read, and write again once everybody may', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name: 'Club' })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  const box = messageBox(ben.page)
  await expect(box).toBeVisible()
  const choose = async (writers: string, ...people: string[]) => {
    await aya.page.getByRole('button', { name: 'More', exact: true }).click()
    await aya.page.getByRole('button', { name: 'Who may write' }).click()
    await aya.page.getByRole('radio', { name: writers }).check()
    for (const name of people) await aya.page.getByRole('checkbox', { name }).check()
    await expectAccessible(aya.page)
    await aya.page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await choose('Only the people chosen here')
  await expect(ben.page.getByText('Only some members write in this group.')).toBeVisible()
  await expect(box).toHaveCount(0)
  await expect(messageLog(ben.page)).toContainText('Aya chose who may write here')
  await choose('Only the people chosen here', 'Ben')
  await box.fill('Now I may')
  await box.press('Control+Enter')
  await expect(messageLog(aya.page)).toContainText('Now I may')
  await choose('All members')
  await expect(messageLog(ben.page)).toContainText('Aya lets everybody write here')
})
