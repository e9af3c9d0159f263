import { readFileSync } from 'node:fs'
import {
  createTestPictureForPlaywrightUpload,
  expect,
  fetchApiJsonWithCookiesOfTestPage,
  test,
} from './fixture.ts'

/**
 * Returns the path of the built script of the page component `source`, which it reads from the manifest of
 * the build.
 */
function readFileOfView(source: string): string {
  const manifest = readFileSync(new URL('../../dist/.vite/manifest.json', import.meta.url), 'utf8')
  return JSON.parse(manifest)[source].file
}

// spec: 1.5, 2.22, 2.23, 4.1
test('searching, following and unfollowing, in place', async ({ member }) => {
  const ann = await member('Ann Quillfinder')
  const { page } = await member('Ben Finder')
  await page.goto('/follow')
  await page.getByPlaceholder('Search by Username').fill('ANN Q')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  const row = page.getByRole('listitem').filter({ hasText: ann.name })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/follow/*', async (route) => {
    await held
    await route.continue()
  })
  await row.getByRole('button', { name: 'Follow Ann Quillfinder' }).click()
  await expect(row.locator('[data-pending]')).toBeVisible()
  expect(await (await page.request.get('/api/followings')).json()).toEqual([])
  release()
  await expect(row.getByRole('button', { name: 'Unfollow Ann Quillfinder (following)' })).toBeVisible()
  expect(await (await page.request.get('/api/followings')).json()).toEqual([ann.id])
  await row.getByRole('button').click()
  await expect(row.getByRole('button', { name: 'Follow Ann Quillfinder' })).toBeVisible()
  expect(await (await page.request.get('/api/followings')).json()).toEqual([])
})

test('after a click the button says “Following” until the pointer or the focus leaves it', async ({
  member,
}) => {
  const ann = await member('Ann Stays')
  const { page } = await member('Ben Stays')
  await page.goto(`/follow?q=${encodeURIComponent(ann.name)}`)
  const button = page.locator('.follow')
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

test('the ring of a focused search field is not around its clear button', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/follow')
  await page.getByRole('searchbox').pressSequentially('x')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await expect(page.getByRole('search').getByRole('button')).toHaveCSS('outline-style', 'none')
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

// spec: 4.2
test('a failed follow changes nothing, and shows a message', async ({ member }) => {
  await member('Ann Refused')
  const { page } = await member('Ben Refused')
  await page.goto('/follow')
  await page.getByPlaceholder('Search by Username').fill('ann refused')
  await page.route('**/api/follow/*', (route) => route.abort())
  await page.getByRole('button', { name: 'Follow Ann Refused' }).click()
  await expect(page.locator('.toast')).toContainText('Following Ann Refused was not saved. No connection.')
  await expect(page.getByRole('button', { name: 'Follow Ann Refused' })).toBeEnabled()
  await page.unroute('**/api/follow/*')
  await page.getByRole('button', { name: 'Follow Ann Refused' }).click()
  await expect(page.getByRole('button', { name: 'Unfollow Ann Refused' })).toBeVisible()
  await expect(page.locator('.toast'), 'the failure is over').toHaveCount(0)

  await page.route('**/api/unfollow/*', (route) => route.abort())
  await page.getByRole('button', { name: 'Unfollow Ann Refused' }).click()
  await expect(page.locator('.toast')).toContainText('Unfollowing Ann Refused was not saved.')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(page.locator('.toast'), 'the button is gone').toHaveCount(0)
})

test('a search without results offers a way back', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/follow')
  const box = page.getByPlaceholder('Search by Username')
  await box.fill('nobody at all')
  await expect(page.getByText('Nobody here is called')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).last().click()
  await expect(box).toHaveValue('')
})

// spec: 1.6
test('the profile is saved; a failure keeps the input', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  await page.getByLabel('Name').fill('Ann Morita')
  await page.getByLabel('Bio').fill('Third house\nafter the bridge')
  await page.route('**/api/profile', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Ann Morita')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Profile updated successfully!' })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Bio')).toHaveValue('Third house\nafter the bridge')
  await expect(page.getByRole('button', { name: 'Profile: Ann Morita' })).toBeVisible()
})

// spec: 1.6
test('a profile image is cropped, then uploaded; Upload without a file does nothing', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  await page.getByRole('button', { name: 'Upload' }).click()
  expect((await (await page.request.get('/api/user')).json()).profile_image).toBeNull()
  await page
    .locator('input[type=file]')
    .setInputFiles([await createTestPictureForPlaywrightUpload('me', { width: 1200, height: 500 })])
  await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click()
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('Profile image updated.')).toBeVisible()
  const { profile_image } = await (await page.request.get('/api/user')).json()
  expect(profile_image).toMatch(/^\/media\//)
  await expect(page.getByRole('button', { name: 'Profile: Ann' }).locator('img')).toBeVisible()
})

test('Save also sends a chosen picture, and says which part failed', async ({ member }) => {
  const { page } = await member('Ann')
  const profile = async () => (await page.request.get('/api/user')).json()
  const toasts = page.locator('.toast')
  await page.goto('/edit')
  await page.locator('input[type=file]').setInputFiles([await createTestPictureForPlaywrightUpload('me')])
  await page.getByRole('button', { name: 'Crop' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel('Bio').fill('By the bridge')

  await page.route('**/api/profile-image', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The profile image could not be saved. No connection.')).toBeVisible()
  await expect(toasts).toHaveText(['Your name and bio were saved.'])
  expect(await profile()).toMatchObject({ bio: 'By the bridge', profile_image: null })

  await page.route('**/api/profile', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your name and bio could not be saved. No connection.')).toBeVisible()
  await expect(page.getByText('The profile image could not be saved.')).toHaveCount(0)
  expect((await profile()).profile_image).toMatch(/^\/media\//)

  await page.locator('input[type=file]').setInputFiles([await createTestPictureForPlaywrightUpload('me too')])
  await page.getByRole('button', { name: 'Crop' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toasts).toHaveText(['Profile updated successfully!'])
  await expect(page.locator('.notice')).toHaveCount(0)
})

test('the error of a field disappears when the field changes, and returns with the next try', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  const name = page.getByLabel('Name', { exact: true })
  const bio = page.getByLabel('Bio')
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
})

// spec: 8.4
test('when the session has ended elsewhere, the page and the input stay', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/edit')
  await page.getByLabel('Bio').fill('Still here')
  await fetchApiJsonWithCookiesOfTestPage(page, 'POST', '/logout')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' }).first()).toBeVisible()
  await expect(page.getByLabel('Bio')).toHaveValue('Still here')
})
