import { annAndBen, messageBox, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, holdPictures, pictureFile, test } from './fixture.ts'

test('in a narrow window, the message box keeps its width when the text is too long, and the buttons of chosen pictures are large enough for a finger and do not overlap', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 844 })
  await openChat(ann, ben)
  const widthOf = async () => (await messageBox(page).boundingBox())!.width
  // The button of a poll makes room for a text.
  await messageBox(page).fill('x')
  await expect(page.getByRole('button', { name: 'Poll' })).toHaveCount(0)
  const before = await widthOf()
  await messageBox(page).fill('x'.repeat(1234))
  const count = page.locator('.message-box .count')
  await expect(count).toContainText('234')
  expect(await widthOf()).toBe(before)
  const { fontSize, height } = await count.evaluate((element) => ({
    fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
    height: element.getBoundingClientRect().height,
  }))
  expect(height).toBeLessThan(2.5 * fontSize)
  await messageBox(page).fill('')

  const pictures = await Promise.all(['one', 'two', 'three', 'four'].map((name) => pictureFile(name)))
  for (const path of [`/privatechat/${ben.id}`, '/post']) {
    if (path === '/post') await page.goto(path)
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

test('a lost response stores one message; an unsent one holds back later ones until it is discarded, and survives a reload', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const bubbles = messageLog(page).locator('.bubble')
  const stored = async () => (await page.request.get(`/api/messages/${ben.id}`)).json()
  await openChat(ann, ben)
  await page.route(
    '**/api/send-private-message',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const waiting = messageLog(page).getByText('Waiting')
  await messageBox(page).fill('Said once')
  await page.keyboard.press('Enter')
  // Expects that the chat shows the message once: the WebSocket delivered it, although the response to
  // sending it was lost.
  await expect(bubbles).toHaveText(['Said once'])
  await expect(page.getByText('Not sent')).toHaveCount(0)

  await page.route('**/api/send-private-message', (route) =>
    route.request().postData()?.includes('Never mind') ? route.abort() : route.continue(),
  )
  await messageBox(page).fill('Never mind')
  await page.keyboard.press('Enter')
  await expect(waiting).toHaveCount(1)
  await messageBox(page).fill('This one')
  await page.keyboard.press('Enter')
  await expect(bubbles).toHaveText(['Said once', 'Never mind', 'This one'])
  expect(await stored()).toMatchObject([{ message: 'Said once' }])
  await expect(waiting).toHaveCount(2)
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await expect(bubbles).toHaveText(['Said once', 'This one'])
  await expect(messageLog(page).locator('[data-sending]')).toHaveCount(0)
  expect(await stored()).toMatchObject([{ message: 'Said once' }, { message: 'This one' }])

  await messageBox(page).fill('Never mind that')
  await page.keyboard.press('Enter')
  await expect(waiting).toHaveCount(1)
  await page.unrouteAll()
  await page.reload()
  await expect(bubbles).toHaveText(['Said once', 'This one', 'Never mind that'])
  await expect(messageLog(page).locator('[data-sending]')).toHaveCount(0)
  expect(await stored()).toMatchObject([
    { message: 'Said once' },
    { message: 'This one' },
    { message: 'Never mind that' },
  ])
})

test('a press on “Send” while a picture is prepared counts when it is there, unless the text changes', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await openChat(ann, ben)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  const release = await holdPictures(page)
  await page.locator('.message-box input[accept="image/*"]').setInputFiles([await pictureFile('one')])
  await messageBox(page).fill('See')
  await send.click()
  await messageBox(page).fill('See this')
  await release()
  await expect(page.locator('.tile')).toHaveCount(1)
  await expect(messageBox(page)).toHaveValue('See this')

  const releaseSecond = await holdPictures(page)
  await page.locator('.message-box input[accept="image/*"]').setInputFiles([await pictureFile('two')])
  await send.click()
  await expect(messageBox(page)).toHaveValue('See this')
  await releaseSecond()
  await expect(messageLog(page).locator('.bubble.picture img')).toHaveCount(2)
  await expect(messageLog(page).locator('.bubble').filter({ hasText: 'See this' })).toHaveCount(1)
  await expect(page.locator('.tile')).toHaveCount(0)
})

test('a log-out in another tab ends the sending of a message in this one', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await openChat(ann, ben)
  // The request gets no answer.
  await page.route('**/api/send-private-message', () => {})
  await messageBox(page).fill('Of Ann')
  await page.keyboard.press('Enter')
  await expect(messageLog(page).locator('[data-sending]')).toBeVisible()
  const ended = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/send-private-message'),
  )
  const tab = await page.context().newPage()
  await tab.goto('/logout')
  await tab.getByRole('button', { name: 'Delete and log out' }).click()
  await expect(tab.getByText('Log out successful.')).toBeVisible()
  await ended
  await expect(page.getByText('Of Ann')).toHaveCount(0)
  const stored = await (await ben.page.request.get(`/api/messages/${ann.id}`)).json()
  expect(stored).toEqual([])
})

test('authors can edit and delete their messages for both members; a draft belongs to its chat', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  await messageBox(ann.page).fill('Helo')
  await ann.page.keyboard.press('Enter')
  await expect(messageLog(ben.page)).toContainText('Helo')
  await messageBox(ann.page).press('ArrowUp')
  await expect(messageBox(ann.page)).toHaveValue('Helo')
  await messageBox(ann.page).fill('Hello')
  await ann.page.keyboard.press('Enter')
  await expect(messageLog(ben.page).locator('.bubble')).toHaveText([/^Hello/])
  await expect(messageLog(ben.page)).toContainText('edited')
  await messageLog(ann.page).locator('.message').hover()
  await messageLog(ann.page)
    .getByRole('button', { name: /More about/ })
    .click()
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await ann.page.getByRole('button', { name: 'Delete message' }).click()
  for (const { page } of [ann, ben])
    await expect(messageLog(page).locator('.bubble')).toHaveText(['This message was deleted'])
  await messageBox(ann.page).fill('Not yet')
  await ann.page.goto('/users')
  await ann.page.getByRole('link', { name: /Ben/ }).click()
  await expect(messageBox(ann.page)).toHaveValue('Not yet')
})

test('pictures are sent with their descriptions, and can be enlarged; links become links, messages of emoji alone are large, and HTML is escaped', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ann, ben, 'See https://kiln.example/rota. <b>now</b>')
  await sendMessage(ann, ben, '🙌🏽')
  await openChat(ann, ben)
  await openChat(ben, ann)
  const log = messageLog(ben.page)
  await expect(log.getByRole('link', { name: 'https://kiln.example/rota' })).toHaveAttribute(
    'rel',
    /noopener/,
  )
  await expect(log).toContainText('<b>now</b>')
  await expect(log.locator('.bubble.emoji-only')).toHaveText('🙌🏽')

  await ann.page.locator('.message-box input[accept="image/*"]').setInputFiles([await pictureFile('river')])
  await ann.page.getByRole('button', { name: /Describe picture 1|Add a description/i }).click()
  await ann.page.getByRole('dialog').getByRole('textbox').fill('The bridge at dusk')
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await ann.page.getByRole('button', { name: 'Send' }).click()
  const shown = log.getByRole('img', { name: 'The bridge at dusk' })
  await expect(shown).toBeVisible()
  await expect(messageLog(ann.page).locator('[data-sending]')).toHaveCount(0)
  await shown.click()
  await expect(ben.page.getByRole('dialog', { name: 'Pictures' })).toContainText('The bridge at dusk')
})
