import { expect, fetchJson, test, writePost } from './fixture.ts'

test('a notification names at most two people on a narrow screen, and shows the whole sentence', async ({
  member,
}) => {
  const { page } = await member('Emi')
  const { post } = await writePost(page, 'Cake for everybody')
  const long = 'Wolfeschlegelsteinhausenbergerdorffvonhohenheim'
  const names = ['Aya', 'Ben Baker', 'Chi', long]
  for (const name of names) {
    const who = await member(name)
    await fetchJson(who.page, 'PUT', `/api/posts/${post.id}/like`)
    if (name === 'Aya' || name === long)
      await fetchJson(who.page, 'POST', `/api/posts/${post.id}/replies`, {
        text: 'Yes',
      })
  }
  const row = (text: string) => page.locator('.notifications .row', { hasText: text })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/notifications')
  const like = row('liked your post').locator('.text > span').first()
  const readable = async () => (await like.innerText()).replace(/[\u2068\u2069]/g, '')
  await expect.poll(readable).toMatch(/^Wolfe\w+…, Chi, Ben Baker and 1 other liked your post$/)
  for (const [width, size] of [
    [390, ''],
    [320, ''],
    [320, '150'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((size) => {
      document.documentElement.dataset.text = size
    }, size)
    await expect.poll(readable).toMatch(/^Wolfe\w+… and 3 others liked your post$/)
    await expect(row('replied to your post').locator('.narrow-only')).toHaveText(
      /^\W*Wolfe\w+…\W+and\W+Aya\W*$/,
    )
    for (const sentence of await page.locator('.notifications .text > span:first-child').all())
      expect(
        await sentence.evaluate((element) => {
          const { right } = element.closest('.row')!.getBoundingClientRect()
          const isCut = [...element.querySelectorAll('b')].some(
            (names) =>
              names.scrollWidth > names.clientWidth && getComputedStyle(names).overflow !== 'visible',
          )
          return !isCut && [...element.getClientRects()].every((line) => line.right <= right)
        }),
      ).toBe(true)
  }
})
