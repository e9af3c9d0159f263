import { chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { annAndBen, messageBox, messageLog, openChat } from './chat-helpers.ts'
import { expect, expectAccessible, test } from './fixture.ts'

// Options that make Chromium use a fake microphone, which beeps once a second, and allow pages to use it.
const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
test.use({ launchOptions: { args: [...chromiumArguments, ...microphone], ...toExecutable() } })

function toExecutable() {
  const executablePath = findChromium()
  return executablePath ? { executablePath } : {}
}

const getRecorder = (page: Page) => page.getByRole('group', { name: 'Voice message', exact: true })
const record = (page: Page) => page.getByRole('button', { name: 'Record a voice message' })
const isPlaying = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('audio')].map(({ paused }) => !paused))

async function recordSeconds(page: Page, seconds: number) {
  await record(page).click()
  const recorder = getRecorder(page)
  await expect(recorder.getByRole('button', { name: 'Stop' })).toBeFocused()
  await expect(recorder.getByRole('timer')).toHaveText(`0:0${seconds}`)
  await page.keyboard.press('Enter')
  await expect(recorder.getByRole('button', { name: 'Send' })).toBeFocused()
  return recorder
}

test('a voice message is recorded, heard, sent and played', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  const recorder = await recordSeconds(ann.page, 2)
  await expect(recorder.getByRole('status')).toContainText(/Recorded 0:0[23]/)
  await expectAccessible(ann.page)
  await recorder.getByRole('button', { name: 'Play' }).click()
  await expect(recorder.getByRole('button', { name: 'Pause' })).toBeVisible()
  await recorder.getByRole('button', { name: 'Send' }).click()
  await expect(messageBox(ann.page)).toBeFocused()
  await recordSeconds(ann.page, 1)
  await ann.page.keyboard.press('Enter')

  const players = messageLog(ben.page).getByRole('group', { name: /^Voice message, 0:0[123]$/ })
  await expect(players).toHaveCount(2)
  const levels = await players.first().locator('.wave > span').count()
  expect(levels).toBeGreaterThan(10)
  expect(levels).toBeLessThanOrEqual(60)
  await expectAccessible(ben.page)
  const position = players.first().getByRole('slider', { name: 'Position' })
  await position.focus()
  await position.press('End')
  await position.press('ArrowLeft')
  await expect(position).toHaveAttribute('aria-valuetext', /0:0\d of 0:0[23]/)
  await position.press('Home')
  await players.first().getByRole('button', { name: 'Speed: 1×' }).click()
  await expect(players.last().getByRole('button', { name: 'Speed: 1.5×' })).toBeVisible()
  await players.last().getByRole('button', { name: 'Speed: 1.5×' }).click()
  await players.first().getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => isPlaying(ben.page)).toEqual([true, false])
  await players.last().getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => isPlaying(ben.page)).toEqual([false, true])
  await expect.poll(() => isPlaying(ben.page)).toEqual([false, false])
  const download = ben.page.waitForEvent('download')
  await players.first().getByRole('link', { name: 'Download the voice message' }).click()
  expect((await download).suggestedFilename()).toMatch(/^voice-[\d.-]+\.weba$/)
})

test('a recording is deleted, and the text of the message stays; an unsent voice message survives a reload', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await openChat(ann, ben)
  await recordSeconds(page, 1)
  await page.keyboard.press('Escape')
  await expect(getRecorder(page)).toHaveCount(0)
  await expect(messageBox(page)).toBeFocused()
  await messageBox(page).fill('Hello')
  await expect(record(page)).toHaveCount(0)
  await messageBox(page).fill('')
  await record(page).click()
  await getRecorder(page).getByRole('button', { name: 'Delete the recording' }).click()
  await expect(messageLog(page).getByRole('group')).toHaveCount(0)

  await page.route('**/api/send-private-message', (route) => route.abort())
  await recordSeconds(page, 1)
  await page.keyboard.press('Enter')
  await expect(page.getByText('It is sent when you are connected again.')).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect(messageLog(page).getByRole('link', { name: 'Download the voice message' })).toBeVisible()
})

test('the page says why it cannot record', async ({ server, member }) => {
  const { ann, ben } = await annAndBen(member)
  const browser = await chromium.launch({ args: chromiumArguments, ...toExecutable() })
  try {
    const page = await browser.newPage({
      baseURL: server.url,
      locale: 'en-GB',
      storageState: await ann.page.context().storageState(),
    })
    await page.goto(`/privatechat/${ben.id}`)
    await record(page).click()
    await expect(getRecorder(page)).toContainText(/may not use the microphone|No microphone was found/)
    await page.keyboard.press('Escape')
    await expect(messageBox(page)).toBeFocused()
  } finally {
    await browser.close()
  }
})
