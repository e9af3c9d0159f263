import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, fetchJson, type PageMember, test } from './fixture.ts'
import { stopClock } from './spec-helpers.ts'

const add = (page: Page, id: number, quantity: number) =>
  fetchJson(page, 'POST', `/api/cart/add/${id}`, { quantity })
const cartOf = async (page: Page) => (await (await page.request.get('/api/cart')).json()).cart
const stepper = (page: Page) => page.getByRole('group', { name: 'Quantity' })

/** Opens a page, and stops the page's clock. From then on, only the test moves this clock. */
async function stillAt(page: Page, path: string) {
  await page.clock.install()
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await stopClock(page)
}

/** Expects that the page stays for a second of its stopped clock, and that the home page opens then. */
async function expectHomePageAfterOneSecond(page: Page) {
  const { pathname } = new URL(page.url())
  await page.clock.runFor(900)
  await expect(page).toHaveURL(pathname)
  await page.clock.runFor(200)
  await expect(page).toHaveURL('/')
}

// spec: 2.35, 5.7, 9.5
test('the stepper starts at 1 and goes no lower; for a visitor, adding fails with a request to log in', async ({
  page,
}) => {
  await stillAt(page, '/products/1')
  await expect(page).toHaveTitle(/^Workshop apron, indigo – /)
  await expect(page.getByText('¥4,800 including tax')).toBeVisible()
  const [amount, fewer, more] = [
    stepper(page).getByRole('status'),
    ...['One fewer', 'One more'].map((name) => stepper(page).getByRole('button', { name })),
  ]
  await expect(amount!).toHaveText('1')
  await expect(fewer!).toBeDisabled()
  await more!.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await expect(amount!).toHaveText('3')
  await page.keyboard.press('Shift+Tab')
  await expect(fewer!).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(amount!).toHaveText('1')
  await expect(fewer!).toBeDisabled()
  await expect(more!).toBeFocused()

  await page.getByRole('button', { name: 'Add to cart' }).click()
  const said = page.getByRole('alert').filter({ hasText: 'Please log in.' })
  await expect(said).toBeVisible()
  await expect(page.getByText('失敗しました')).toBeVisible()
  await expectHomePageAfterOneSecond(page)
  await said.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/^[^?]*\/login\b/)
})

// spec: 2.35, 4.13, 8.10, 9.4
for (const { lang, button, more, also } of [
  { lang: 'en', button: 'Add to cart', more: 'One more', also: 'Added to the cart.' },
  { lang: 'ja', button: 'カートに入れる', more: '1つ増やす', also: null },
] as const)
  test(`after adding a product, a message is shown, then the home page: ${lang}`, async ({ member }) => {
    const { page } = await member('Ann', { lang })
    await stillAt(page, '/products/2')
    await page.getByRole('button', { name: more }).click()
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText('追加しました')).toBeVisible()
    if (also) await expect(page.getByText(also)).toBeVisible()
    await page.clock.runFor(400)
    // Clicks a second time before the home page opens, and expects that this adds nothing to the cart.
    await page.getByRole('button', { name: button }).click()
    await page.clock.runFor(500)
    await expect(page).toHaveURL('/products/2')
    await page.clock.runFor(200)
    await expect(page).toHaveURL('/')
    await expect(page.getByText('追加しました')).toBeVisible()
    expect(await cartOf(page)).toMatchObject([{ id: 2, quantity: 2 }])
  })

// spec: 4.13, 8.11, 9.4
test('after a failure, a message is shown, then the home page: no line, a fault of ours, an ended session, a full cart', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const said = page.getByRole('alert').filter({ hasText: '失敗しました' })
  await stillAt(page, '/products/1')
  await page.route('**/api/cart/add/1', (route) => route.abort())
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(said).toBeVisible()
  await expectHomePageAfterOneSecond(page)

  const failAgain = async () => {
    await page.clock.resume()
    await page.goto('/products/1')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await stopClock(page)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(said).toBeVisible()
  }
  for (const [status, message] of [
    [500, 'Server Error'],
    [401, 'Unauthenticated.'],
  ] as const)
    await test.step(message, async () => {
      await page.route('**/api/cart/add/1', (route) => route.fulfill({ status, json: { message } }))
      await failAgain()
      await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toHaveCount(
        status === 401 ? 1 : 0,
      )
      await expectHomePageAfterOneSecond(page)
    })
  expect(await cartOf(page)).toEqual([])

  await page.unrouteAll()
  await add(page, 1, 999)
  await failAgain()
  await expect(said).toContainText('You can have at most 999 of one product in your cart.')
  await expectHomePageAfterOneSecond(page)
})

test('a visitor is asked to log in by the cart and the test button; an unknown product shows a link to the home page', async ({
  page,
}) => {
  const alert = page.getByRole('alert').filter({ hasText: 'Please log in.' })
  await page.goto('/cart')
  await expect(alert).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()

  await page.goto('/user')
  await expect(alert).toHaveCount(0)
  await page.getByRole('button', { name: 'Fetch the current user' }).click()
  await expect(alert).toBeVisible()
  await expect(page.getByRole('definition')).toHaveCount(0)

  for (const id of ['7', 'apron']) {
    await page.goto(`/products/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such product.')
    await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
  }
})

test('a cart and a product that failed to load can be requested again; an empty cart links to a product', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const fail = (url: string) =>
    page.route(url, (route) => route.fulfill({ status: 403, json: { message: 'Not today.' } }), { times: 1 })
  await page.goto('/products/2')
  await fail('**/api/cart')
  await page.getByRole('link', { name: 'View cart' }).click()
  await expect(page.getByText('Not today.')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
  await fail('**/api/products/1')
  await page.getByRole('link', { name: 'See products' }).click()
  await expect(page).toHaveURL('/products/1')
  await expect(page.getByText('Not today.')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Workshop apron, indigo')
})

// spec: 1.10, 2.36, 3.7
test('a member who has opened the cart stays there; it shows products, quantities, prices and the total, and is changed', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await stillAt(page, '/products/1')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByText('追加しました')).toBeVisible()
  await page.getByRole('link', { name: 'View cart' }).click()
  await page.clock.runFor(2000)
  await expect(page.getByRole('heading', { name: 'Cart' })).toBeVisible()
  await expect(page).toHaveURL('/cart')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows.filter({ hasText: 'Workshop apron' })).toContainText('¥4,800')
  await page.clock.resume()

  await add(page, 2, 2)
  await page.reload()
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(/Workshop apron, indigo.*¥4,800/)
  await expect(rows.nth(1)).toContainText(/青磁の飯碗（中）.*2.*¥3,200.*¥6,400/)
  await expect(rows.nth(2)).toContainText(/Total.*¥11,200/)
  await rows.nth(1).getByRole('link').click()
  await expect(page).toHaveURL('/products/2')
  await expect(page.getByRole('heading', { level: 1 }).locator('[lang=ja]')).toHaveText('青磁の飯碗（中）')
  await page.goBack()

  const total = rows.last()
  const apron = page.getByRole('group', { name: 'Quantity of Workshop apron, indigo' })
  for (let i = 0; i < 3; i++) await apron.getByRole('button', { name: 'One more' }).click()
  await expect(total).toContainText('¥25,600')
  await expect(apron.getByRole('status')).toHaveText('4')
  await expect.poll(async () => (await cartOf(page))[0].quantity).toBe(4)
  await page.route(
    '**/api/cart/1',
    (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }),
    {
      times: 1,
    },
  )
  await apron.getByRole('button', { name: 'One fewer' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(apron.getByRole('status')).toHaveText('4')
  await page.getByRole('button', { name: 'Remove 青磁の飯碗（中） from the cart' }).click()
  await expect(total).toContainText('¥19,200')
  await page.getByRole('button', { name: 'Remove Workshop apron, indigo from the cart' }).click()
  await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
})

// spec: 2.37
test('the test button shows the current user', async ({ member }) => {
  const { id, email, page } = await member('Ann Asker')
  await page.goto('/user')
  await expect(page.getByRole('definition')).toHaveCount(0)
  await page.getByRole('button', { name: 'Fetch the current user' }).click()
  const shown = (field: string) =>
    page.locator('dl > div', { has: page.getByText(field, { exact: true }) }).getByRole('definition')
  await expect(shown('id')).toHaveText(String(id))
  await expect(shown('name')).toHaveText('Ann Asker')
  await expect(shown('email')).toHaveText(email)
  await expect(shown('is_admin')).toHaveText(/^(true|false)$/)
  await expect(shown('bio')).toHaveText('null')
  await page.route('**/api/user', (route) => route.abort())
  await page.getByRole('button', { name: 'Fetch the current user' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'No connection.' })).toBeVisible()
  await expect(page.getByRole('definition')).toHaveCount(0)
})

const sample = ['/products/1', '/products/2', '/products/7', '/cart', '/user']
const looks = [
  { lang: 'en', colorScheme: 'light' },
  { lang: 'ja', colorScheme: 'dark' },
] as const

for (const { lang, colorScheme } of looks)
  test(`a full cart breaks no rule of accessibility, and all pages of the shop fit: ${lang}, ${colorScheme}`, async ({
    member,
  }) => {
    const { page } = await shopper(member, lang)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of sample)
      await test.step(path, async () => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        if (path === '/user') {
          await page.getByRole('main').getByRole('button').click()
          await expect(page.getByRole('definition').first()).toBeVisible()
        }
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 800 })
          if (path === '/cart') await expectAccessible(page)
          await expectNoOverflow(page)
        }
        // Doubles the text size of the page, as a reader can do in the browser.
        await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
        await expectNoOverflow(page)
      })
  })

async function shopper(
  member: (name: string, options: { lang: 'en' | 'ja' }) => Promise<PageMember>,
  lang: 'en' | 'ja',
) {
  const ann = await member('Wolfeschlegelsteinhausenbergerdorffson', { lang })
  for (const id of [1, 2, 3, 4, 5, 6]) await add(ann.page, id, 999)
  return ann
}
