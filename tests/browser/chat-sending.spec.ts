import {
  locateMessageLog,
  locateMessageTextbox,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import { createTestPictureForPlaywrightUpload, expect, test } from './fixture.ts'

test('the message box keeps its width when the text is too long', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await ann.page.setViewportSize({ width: 390, height: 800 })
  await openPrivateChatInBrowserTest(ann, ben)
  const widthOf = async () => (await locateMessageTextbox(ann.page).boundingBox())!.width
  const before = await widthOf()
  await locateMessageTextbox(ann.page).fill('x'.repeat(1234))
  const count = ann.page.locator('.message-box .count')
  await expect(count).toContainText('234')
  expect(await widthOf()).toBe(before)
  const { fontSize, height } = await count.evaluate((element) => ({
    fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
    height: element.getBoundingClientRect().height,
  }))
  expect(height).toBeLessThan(2.5 * fontSize)
})

test('a lost response stores one message; an unsent one survives a reload and can be discarded', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ann, ben)
  await ann.page.route(
    '**/api/send-private-message',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await locateMessageTextbox(ann.page).fill('Said once')
  await ann.page.keyboard.press('Enter')
  // Expects that the chat shows the message once: the WebSocket delivered it, although the response to
  // sending it was lost.
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['Said once'])
  await expect(ann.page.getByText('Not sent')).toHaveCount(0)
  await ann.page.route('**/api/send-private-message', (route) => route.abort())
  await locateMessageTextbox(ann.page).fill('Never mind')
  await ann.page.keyboard.press('Enter')
  await expect(ann.page.getByText('Not sent')).toBeVisible()
  await ann.page.unrouteAll()
  await ann.page.reload()
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['Said once', 'Never mind'])
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['Said once'])
})

test('an unsent message holds back later ones until it is discarded', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ann, ben)
  await ann.page.route('**/api/send-private-message', (route) =>
    route.request().postData()?.includes('Never mind') ? route.abort() : route.continue(),
  )
  await locateMessageTextbox(ann.page).fill('Never mind')
  await ann.page.keyboard.press('Enter')
  await expect(ann.page.getByText('Not sent')).toBeVisible()
  await locateMessageTextbox(ann.page).fill('This one')
  await ann.page.keyboard.press('Enter')
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['Never mind', 'This one'])
  expect(await (await ann.page.request.get(`/api/messages/${ben.id}`)).json()).toEqual([])
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['This one'])
  await expect(locateMessageLog(ann.page).locator('[data-sending]')).toHaveCount(0)
  expect(await (await ann.page.request.get(`/api/messages/${ben.id}`)).json()).toMatchObject([
    { message: 'This one' },
  ])
})

test('authors can edit and delete their messages for both members; a draft belongs to its chat', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ben, ann)
  await locateMessageTextbox(ann.page).fill('Helo')
  await ann.page.keyboard.press('Enter')
  await expect(locateMessageLog(ben.page)).toContainText('Helo')
  await locateMessageTextbox(ann.page).press('ArrowUp')
  await expect(locateMessageTextbox(ann.page)).toHaveValue('Helo')
  await locateMessageTextbox(ann.page).fill('Hello')
  await ann.page.keyboard.press('Enter')
  await expect(locateMessageLog(ben.page).locator('.bubble')).toHaveText([/^Hello/])
  await expect(locateMessageLog(ben.page)).toContainText('edited')
  await locateMessageLog(ann.page).locator('.message').hover()
  await locateMessageLog(ann.page)
    .getByRole('button', { name: /More about/ })
    .click()
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await ann.page.getByRole('button', { name: 'Delete message' }).click()
  for (const { page } of [ann, ben])
    await expect(locateMessageLog(page).locator('.bubble')).toHaveText(['This message was deleted'])
  await locateMessageTextbox(ann.page).fill('Not yet')
  await ann.page.goto('/users')
  await ann.page.getByRole('link', { name: /Ben/ }).click()
  await expect(locateMessageTextbox(ann.page)).toHaveValue('Not yet')
})

test('pictures are sent with their descriptions, and can be enlarged', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ben, ann)
  await ann.page
    .locator('.message-box input[accept="image/*"]')
    .setInputFiles([await createTestPictureForPlaywrightUpload('river')])
  await ann.page.getByRole('button', { name: /Describe picture 1|Add a description/i }).click()
  await ann.page.getByRole('dialog').getByRole('textbox').fill('The bridge at dusk')
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await ann.page.getByRole('button', { name: 'Send' }).click()
  const shown = locateMessageLog(ben.page).getByRole('img', { name: 'The bridge at dusk' })
  await expect(shown).toBeVisible()
  await expect(locateMessageLog(ann.page).locator('[data-sending]')).toHaveCount(0)
  await shown.click()
  await expect(ben.page.getByRole('dialog', { name: 'Pictures' })).toContainText('The bridge at dusk')
})

test('the buttons of chosen pictures are large enough for a finger, and do not overlap', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 844 })
  const pictures = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) => createTestPictureForPlaywrightUpload(name)),
  )
  for (const path of [`/privatechat/${ben.id}`, '/post']) {
    await page.goto(path)
    await page.locator('form input[type=file]').first().setInputFiles(pictures)
    await expect(page.locator('.tile')).toHaveCount(4)
    const boxes = await page
      .locator('.tile button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    expect(boxes).toHaveLength(14)
    for (const [at, one] of boxes.entries()) {
      expect(Math.min(one.width, one.height)).toBeGreaterThanOrEqual(44)
      for (const other of boxes.slice(at + 1)) {
        const isApart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top
        expect(isApart, `${path}: ${JSON.stringify([one, other])}`).toBe(true)
      }
    }
  }
})

test('links in a message become links, messages of emoji alone are large, and HTML is escaped', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'See https://kiln.example/rota. <b>now</b>')
  await sendPrivateMessageByApiInBrowserTest(ann, ben, '🙌🏽')
  await openPrivateChatInBrowserTest(ben, ann)
  await expect(
    locateMessageLog(ben.page).getByRole('link', { name: 'https://kiln.example/rota' }),
  ).toHaveAttribute('rel', /noopener/)
  await expect(locateMessageLog(ben.page)).toContainText('<b>now</b>')
  await expect(locateMessageLog(ben.page).locator('.bubble.emoji-only')).toHaveText('🙌🏽')
})
