import { box, log, open, pair, tell } from './chat-page.ts'
import { expect, picture, test } from './fixture.ts'

test('the message box keeps its width when the text is too long', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await ann.page.setViewportSize({ width: 390, height: 800 })
  await open(ann, ben)
  const widthOf = async () => (await box(ann.page).boundingBox())!.width
  const before = await widthOf()
  await box(ann.page).fill('x'.repeat(1234))
  const count = ann.page.locator('.message-box .count')
  await expect(count).toContainText('234')
  expect(await widthOf()).toBe(before)
  const { fontSize, height } = await count.evaluate((element) => ({
    fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
    height: element.getBoundingClientRect().height,
  }))
  expect(height).toBeLessThan(2.5 * fontSize)
})

test('a lost answer stores one message; what could not be sent survives a reload and can be thrown away', async ({
  member,
}) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await ann.page.route(
    '**/api/send-private-message',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await box(ann.page).fill('Said once')
  await ann.page.keyboard.press('Enter')
  // The live line brings it, although the answer was lost.
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Said once'])
  await expect(ann.page.getByText('Not sent')).toHaveCount(0)
  await ann.page.route('**/api/send-private-message', (route) => route.abort())
  await box(ann.page).fill('Never mind')
  await ann.page.keyboard.press('Enter')
  await expect(ann.page.getByText('Not sent')).toBeVisible()
  await ann.page.unrouteAll()
  await ann.page.reload()
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Said once', 'Never mind'])
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Said once'])
})

test('what was not sent holds back what comes after it, until it is given up', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await ann.page.route('**/api/send-private-message', (route) =>
    route.request().postData()?.includes('Never mind') ? route.abort() : route.continue(),
  )
  await box(ann.page).fill('Never mind')
  await ann.page.keyboard.press('Enter')
  await expect(ann.page.getByText('Not sent')).toBeVisible()
  await box(ann.page).fill('This one')
  await ann.page.keyboard.press('Enter')
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Never mind', 'This one'])
  expect(await (await ann.page.request.get(`/api/messages/${ben.id}`)).json()).toEqual([])
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await expect(log(ann.page).locator('.bubble')).toHaveText(['This one'])
  await expect(log(ann.page).locator('[data-sending]')).toHaveCount(0)
  expect(await (await ann.page.request.get(`/api/messages/${ben.id}`)).json()).toMatchObject([
    { message: 'This one' },
  ])
})

test('one’s own message is edited and deleted for both; a draft stays with its chat', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await open(ben, ann)
  await box(ann.page).fill('Helo')
  await ann.page.keyboard.press('Enter')
  await expect(log(ben.page)).toContainText('Helo')
  await box(ann.page).press('ArrowUp')
  await expect(box(ann.page)).toHaveValue('Helo')
  await box(ann.page).fill('Hello')
  await ann.page.keyboard.press('Enter')
  await expect(log(ben.page).locator('.bubble')).toHaveText([/^Hello/])
  await expect(log(ben.page)).toContainText('edited')
  await log(ann.page).locator('.said-line').hover()
  await log(ann.page)
    .getByRole('button', { name: /More about/ })
    .click()
  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await ann.page.getByRole('button', { name: 'Delete message' }).click()
  for (const { page } of [ann, ben])
    await expect(log(page).locator('.bubble')).toHaveText(['This message was deleted'])
  await box(ann.page).fill('Not yet')
  await ann.page.goto('/users')
  await ann.page.getByRole('link', { name: /Ben/ }).click()
  await expect(box(ann.page)).toHaveValue('Not yet')
})

test('pictures travel, with their descriptions, and are looked at closely', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await open(ben, ann)
  await ann.page.locator('.message-box input[type=file]').setInputFiles([await picture('river')])
  await ann.page.getByRole('button', { name: /Describe picture 1|Add a description/i }).click()
  await ann.page.getByRole('dialog').getByRole('textbox').fill('The bridge at dusk')
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await ann.page.getByRole('button', { name: 'Send' }).click()
  const shown = log(ben.page).getByRole('img', { name: 'The bridge at dusk' })
  await expect(shown).toBeVisible()
  await expect(log(ann.page).locator('[data-sending]')).toHaveCount(0)
  await shown.click()
  await expect(ben.page.getByRole('dialog', { name: 'Pictures' })).toContainText('The bridge at dusk')
})

test('links in a message are links, emoji alone are large, and nothing becomes HTML', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await tell(ann, ben, 'See https://kiln.example/rota. <b>now</b>')
  await tell(ann, ben, '🙌🏽')
  await open(ben, ann)
  await expect(log(ben.page).getByRole('link', { name: 'https://kiln.example/rota' })).toHaveAttribute(
    'rel',
    /noopener/,
  )
  await expect(log(ben.page)).toContainText('<b>now</b>')
  await expect(log(ben.page).locator('.bubble.big')).toHaveText('🙌🏽')
})
