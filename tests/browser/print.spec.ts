import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { annAndBen, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, pictureFile, test } from './fixture.ts'

/** Prints as the browser does, and counts the sheets. `PRINT_FOLDER` keeps the PDF. */
async function print(page: Page, name: string) {
  const pdf = await page.pdf({ format: 'A4' })
  if (process.env.PRINT_FOLDER) writeFileSync(`${process.env.PRINT_FOLDER}/${name}.pdf`, pdf)
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
}
const stylesForPaper = (page: Page) =>
  page.waitForFunction(() =>
    [...document.styleSheets].some((sheet) =>
      [...sheet.cssRules].some((rule) => /^@media print[\s\S]*first-steps/.test(rule.cssText)),
    ),
  )

test('a chat is printed with all of its loaded messages', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  for (let count = 1; count <= 60; count++) await sendMessage(ann, ben, `Message ${count}\nwith two lines`)
  await openChat(ann, ben)
  await expect(messageLog(ann.page).getByText('Message 60')).toBeVisible()
  await stylesForPaper(ann.page)
  await ann.page.emulateMedia({ media: 'print' })
  const list = messageLog(ann.page)
  const { inner, outer } = await list.evaluate(({ scrollHeight, clientHeight }) => ({
    inner: scrollHeight,
    outer: clientHeight,
  }))
  expect(inner).toBe(outer)
  expect(inner).toBeGreaterThan(2000)
  await expect(ann.page.getByRole('navigation', { name: 'Main', exact: true })).toBeHidden()
  await expect(ann.page.getByRole('textbox', { name: 'Enter your message' })).toBeHidden()
  expect(await print(ann.page, 'chat')).toBeGreaterThan(2)
})

test('the posts are printed with their pictures and without bars over the lines', async ({ member }) => {
  const { page } = await member('Ann')
  const { buffer } = await pictureFile('garden')
  const headers = {
    'x-xsrf-token': await page.evaluate(() =>
      decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!),
    ),
  }
  for (let count = 1; count <= 12; count++) {
    const text = `Post ${count} about the garden. `.repeat(12)
    const image = { name: `${count}.jpg`, mimeType: 'image/jpeg', buffer }
    const sent = await page.request.post('/api/posts', { headers, multipart: { text, 'images[]': image } })
    expect(sent.status()).toBe(201)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  await expect(page.getByText('Post 12 about')).toBeVisible()
  await stylesForPaper(page)
  // The script that loads pictures before a print comes after the styles.
  await expect(async () => {
    expect(await print(page, 'posts')).toBeGreaterThan(2)
    await expect(page.locator('article img[loading=lazy]')).toHaveCount(0, { timeout: 1 })
    expect(await page.locator('article img').count()).toBeGreaterThanOrEqual(12)
  }).toPass()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
})

/** In points. 9 is the smallest that older people read without glasses. */
const smallestText = (page: Page) =>
  page.locator('.print-sheet').evaluate((sheet) => {
    const texts = [...sheet.querySelectorAll('*')].filter(({ childNodes }) =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    )
    return Math.min(...texts.map((one) => (Number.parseFloat(getComputedStyle(one).fontSize) * 3) / 4))
  })

test('invitations are printed in the language of the community', async ({ admin }) => {
  const { page } = await admin('Ann')
  await fetchJson(page, 'PATCH', '/api/admin/settings', { default_language: 'ja' })
  await page.context().addCookies([{ name: 'lang', value: 'en', url: new URL(page.url()).origin }])
  await page.goto('/admin/new-members')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByLabel('Cards on a sheet').selectOption('6')
  await page.emulateMedia({ media: 'print' })
  const card = page.locator('.invitation-card').first()
  await expect(card.getByText('Engawaへの招待')).toBeVisible()
  await expect(card.getByText('Join Engawa')).toHaveCount(0)
  expect(await smallestText(page)).toBeGreaterThanOrEqual(9)
  expect(await print(page, 'invitations')).toBe(1)
  await fetchJson(page, 'PATCH', '/api/admin/settings', { default_language: null })
})
