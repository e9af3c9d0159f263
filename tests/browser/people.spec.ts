import { readFileSync } from 'node:fs'
import { expect, expectAccessible, fetchJson, pictureFile, test } from './fixture.ts'
import { holdRequests, recordRequests } from './spec-helpers.ts'

/**
 * Returns the path of the built script of the page component `source`, which it reads from the manifest of
 * the build.
 */
function readFileOfView(source: string): string {
  const manifest = readFileSync(new URL('../../dist/.vite/manifest.json', import.meta.url), 'utf8')
  return JSON.parse(manifest)[source].file
}

// spec: 1.5, 2.22, 2.23, 4.1, 4.2
test('searching, following and unfollowing, in place; the button changes after the request has succeeded, not when it failed', async ({
  member,
}) => {
  const ann = await member('Ann Quillfinder')
  const { page } = await member('Ben Finder')
  await page.goto('/follow')
  await page.getByPlaceholder('Search by Username').fill('ANN Q')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  const button = page.getByRole('listitem').filter({ hasText: ann.name }).getByRole('button')
  const toasts = page.locator('.toast')
  const followings = async () => (await page.request.get('/api/followings')).json()
  for (const [before, after, url, message, saved] of [
    [
      'Follow Ann Quillfinder',
      'Unfollow Ann Quillfinder (following)',
      '**/api/follow/*',
      'Following Ann Quillfinder was not saved. No connection.',
      [ann.id],
    ],
    [
      'Unfollow Ann Quillfinder (following)',
      'Follow Ann Quillfinder',
      '**/api/unfollow/*',
      'Unfollowing Ann Quillfinder was not saved.',
      [],
    ],
  ] as const) {
    const savedBefore = await followings()
    await page.route(url, (route) => route.abort(), { times: 1 })
    await button.click()
    await expect(toasts).toContainText(message)
    await expect(button).toHaveAccessibleName(before)
    await expect(button).toBeEnabled()
    await toasts.getByRole('button', { name: 'Close' }).click()
    await page.route(url, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }), {
      times: 1,
    })
    await button.click()
    await expect(toasts).toBeVisible()
    await expect(button).toHaveAccessibleName(before)
    const letGo = await holdRequests(page, url)
    await button.click()
    await expect(button).toHaveAttribute('data-pending')
    await expect(button).toHaveAccessibleName(before)
    expect(await followings()).toEqual(savedBefore)
    letGo()
    await expect(button).toHaveAccessibleName(after)
    expect(await followings()).toEqual(saved)
    await expect(toasts, 'the failure is over').toHaveCount(0)
  }

  await page.route('**/api/follow/*', (route) => route.abort())
  await button.click()
  await expect(toasts).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(toasts, 'the button is gone').toHaveCount(0)
})

test('after a click the button says “Following” until the pointer or the focus leaves it; a search without results offers a way back', async ({
  member,
}) => {
  const ann = await member('Ann Stays')
  const { page } = await member('Ben Stays')
  await page.goto('/follow')
  const field = page.getByRole('searchbox')
  await field.pressSequentially('nobody at all')
  await expect(field).toBeFocused()
  await expect(page.getByRole('search').getByRole('button'), 'no ring around the button').toHaveCSS(
    'outline-style',
    'none',
  )
  await expect(page.getByText('Nobody here is called')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).last().click()
  await expect(field).toHaveValue('')

  await field.fill(ann.name)
  const button = page.locator('.follow')
  await expect(button).toHaveCount(1)
  const following = button.getByText('Following', { exact: true })
  const unfollow = button.getByText('Unfollow', { exact: true })
  await button.click()
  await expect(following).toBeVisible()
  await expect(unfollow).toBeHidden()
  await page.mouse.move(0, 0)
  await expect(following).toBeVisible()
  await button.hover()
  await expect(unfollow).toBeVisible()
  await button.click()
  await expect(button).toHaveText('Follow')
  await page.mouse.move(0, 0)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(following).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(following).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(unfollow).toBeVisible()
})

test('a link clicked while typing a search leads to its own page, not to the search', async ({ member }) => {
  const { page } = await member('Ann')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(`**/${readFileOfView('../features/posts/web/PostListPage.tsx')}`, async (route) => {
    await held
    await route.continue()
  })
  await page.clock.install()
  await page.goto('/follow')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByPlaceholder('Search by Username').fill('gh')
  await page.getByRole('link', { name: 'Posts', exact: true }).first().click()
  // Expects that the page still shows the user search, because the response for the next page is held back.
  await page.clock.runFor(1000)
  await expect(page.getByPlaceholder('Search by Username')).toHaveValue('gh')
  await expect(page).toHaveURL('/followingpostlist')
  letGo()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('投稿一覧')
  await expect(page).toHaveURL('/followingpostlist')
})

// spec: 1.6
test('the profile is saved; a failure keeps the input; the error of a field disappears when the field changes', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  const name = page.getByLabel('Name', { exact: true })
  const bio = page.getByLabel('Bio')
  // The errors return with the next try.
  for (let round = 0; round < 2; round++) {
    await name.fill(' ')
    await bio.fill('x'.repeat(1001))
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(name).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('.field .field-error')).toHaveCount(2)
    await bio.fill('short')
    await expect(page.locator('.field .field-error')).toHaveCount(1)
    await name.fill('Ann')
    await expect(page.locator('.field .field-error')).toHaveCount(0)
    await expect(name).not.toHaveAttribute('aria-invalid')
  }

  await name.fill('Ann Morita')
  await bio.fill('Third house\nafter the bridge')
  await page.route('**/api/profile', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(name).toHaveValue('Ann Morita')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Profile updated successfully!' })).toBeVisible()
  await page.reload()
  await expect(bio).toHaveValue('Third house\nafter the bridge')
  await expect(page.getByRole('button', { name: 'Profile: Ann Morita' })).toBeVisible()
})

// spec: 1.6, 2.19, 5.6, 7.16, 8.4
test('a profile image is cropped and sent by Save or Upload, which say what failed; without a session the input stays', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const profile = async () => (await page.request.get('/api/user')).json()
  const toasts = page.locator('.toast')
  const save = page.getByRole('button', { name: 'Save' })
  const upload = page.getByRole('button', { name: 'Upload' })
  const pick = async (name: string, size?: { width: number; height: number }) => {
    await page.locator('input[type=file]').setInputFiles([await pictureFile(name, size)])
    await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto('/edit')
  const calls = recordRequests(page, /^\/api\/profile-image/)
  await upload.click()
  await upload.click()
  await pick('me')
  expect(calls, 'Upload without a file').toEqual([])
  await page.getByLabel('Bio').fill('By the bridge')

  await page.route('**/api/profile-image', (route) => route.abort(), { times: 1 })
  await save.click()
  await expect(page.getByText('The profile image could not be saved. No connection.')).toBeVisible()
  await expect(toasts).toHaveText(['Your name and bio were saved.'])
  expect(await profile()).toMatchObject({ bio: 'By the bridge', profile_image: null })

  await page.route('**/api/profile', (route) => route.abort(), { times: 1 })
  await save.click()
  await expect(page.getByText('Your name and bio could not be saved. No connection.')).toBeVisible()
  await expect(page.getByText('The profile image could not be saved.')).toHaveCount(0)
  const first = (await profile()).profile_image
  expect(first).toMatch(/^\/media\//)

  await pick('me too')
  await save.click()
  await expect(toasts).toHaveText(['Profile updated successfully!'])
  await expect(page.locator('.notice')).toHaveCount(0)
  const second = (await profile()).profile_image
  expect(second).not.toBe(first)

  calls.length = 0
  await pick('wide', { width: 1200, height: 500 })
  await upload.click()
  await expect(page.getByText('Profile image updated.')).toBeVisible()
  expect(calls).toEqual(['POST /api/profile-image'])
  const third = (await profile()).profile_image
  expect(third).toMatch(/^\/media\//)
  expect([first, second]).not.toContain(third)
  await expect(page.locator('.page-header .avatar img')).toHaveAttribute('src', /^\/media\//)
  await expect(page.getByRole('button', { name: 'Profile: Ann' }).locator('img')).toBeVisible()

  await page.getByLabel('Bio').fill('Still here')
  await fetchJson(page, 'POST', '/logout')
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' }).first()).toBeVisible()
  await expect(page.getByLabel('Bio')).toHaveValue('Still here')
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('the button says that somebody is followed, and asks before it ends that', async ({ member }) => {
    const [{ page }, ben] = [await member('Ann'), await member('Ben')]
    await fetchJson(page, 'POST', `/api/follow/${ben.id}`)
    await page.goto(`/people/${ben.id}`)
    const button = page.getByRole('button', { name: 'Unfollow Ben (following)' })
    await expect(button.getByText('Following', { exact: true })).toBeVisible()
    await button.tap()
    const dialog = page.getByRole('dialog', { name: 'Unfollow Ben?' })
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).tap()
    await expect(dialog).toHaveCount(0)
    await button.tap()
    await dialog.getByRole('button', { name: 'Unfollow', exact: true }).tap()
    await expect(page.getByRole('button', { name: 'Follow Ben' })).toBeVisible()
    expect(await (await page.request.get('/api/followings')).json()).toEqual([])
  })
})
