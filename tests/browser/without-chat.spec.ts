import type { Page } from '@playwright/test'
import { startServer, stopServers } from '#tests/server.ts'
import { test as base, expect, fetchJson, writePost } from './fixture.ts'

/**
 * Playwright's `test` with a server that runs without the chat feature. These tests expect no trace of the
 * chat in the browser, and no requests for it.
 */
const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixtures from the pattern
    async ({}, use) => {
      const left = { RATE_LIMIT: 'off', WITHOUT_FEATURES: 'voice,conversations,groups,turns,messages' }
      await use(await startServer(left, 'tests/serve-without.ts'))
      await stopServers()
    },
    { scope: 'worker' },
  ],
})

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const chatLinks = ['/users', '/privatechat', '/my-groups', '/group-chat', '/admin/creategroup']
  .map((path) => `[href^="${path}"]`)
  .join()
const chatCalls = /\/api\/(unread|conversations|messages|my-groups|groups|group-messages|admin\/groups)/

function watchCalls(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const about = `${request.url()} ${request.postData() ?? ''}`
    if (chatCalls.test(about) || /presence-user|private-/.test(about)) calls.push(about)
  })
  return calls
}

test('navigation, sidebar, profile, shortcuts and dashboard do not mention it, and its addresses are unknown', async ({
  admin,
  member,
}) => {
  const [{ page }, ben] = [await admin('Ann'), await member('Ben')]
  await writePost(ben.page, 'hello')
  await fetchJson(page, 'POST', `/api/follow/${ben.id}`)
  const calls = watchCalls(page)
  await page.setViewportSize(desktop)
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect(bar.locator('> a, > button')).toHaveText(['Home', 'Posts', 'Search Users', 'Admin'])
  await expect(page.getByText('hello', { exact: true })).toBeVisible()
  await expect(page.locator('.page > aside')).toHaveCount(0)
  await expect(page).toHaveTitle('Post List – Engawa')
  await expect(page.locator(chatLinks)).toHaveCount(0)

  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByText('Your own page')).toBeVisible()
  await expect(shortcuts.getByText(/chat|groups/i)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page).toHaveURL('/')

  await page.goto(`/people/${ben.id}`)
  await expect(page.getByRole('button', { name: /Unfollow Ben/ })).toBeVisible()
  await expect(page.locator(chatLinks)).toHaveCount(0)

  await page.setViewportSize(phone)
  const bottom = page.getByRole('navigation', { name: 'Main (bottom bar)' })
  await expect(bottom.locator('a')).toHaveCount(4)
  await expect(bottom.locator(chatLinks)).toHaveCount(0)
  // Expects that real-time connections still work without the chat: the page shows who is online.
  await ben.page.goto('/')
  await page.goto('/')
  await expect(page.getByRole('button', { name: /online/ })).toBeVisible()
  expect(calls).toEqual([])

  await page.setViewportSize(desktop)
  await page.goto('/admin/dashboard')
  await expect(page.locator('.statistics dt')).toHaveText(['Members', 'Posts', 'Active members'])
  await expect(page.getByRole('heading')).toHaveText([
    'Admin Dashboard',
    'Waiting for you',
    'People',
    'Community',
    'Server',
  ])
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Users' })).toBeVisible()
  await expect(main.getByText(/group/i)).toHaveCount(0)
  await expect(page.locator(chatLinks)).toHaveCount(0)
  expect(calls).toEqual([])

  for (const path of ['/users', '/my-groups', '/admin/creategroup']) {
    expect((await page.goto(path))!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found.' })).toBeVisible()
  }
})
