import type { Page } from '@playwright/test'

/** Chooses files, by their paths or contents, that are not pictures. */
export async function chooseFiles(
  page: Page,
  ...files: string[] | { name: string; mimeType: string; buffer: Buffer }[]
) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).click()
  await (await chooser).setFiles(files as string[])
}
