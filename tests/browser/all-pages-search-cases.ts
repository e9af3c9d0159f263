import type { Page } from '@playwright/test'
import type { PageTestCase } from './all-pages-actions.ts'

/** Opens what a chip offers. */
const opensChip = (panel: string, shown: string) => async (page: Page) => {
  await page.locator(`[data-panel=${panel}]`).click()
  await page.locator(`.filter-panel ${shown}`).first().waitFor()
}
const finds = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

const kiln = '/search?q=kiln'
const attached = '/search/attachments?has='

/** The test cases of the search. */
export const searchCases: readonly PageTestCase[] = [
  { name: 'the search', path: '/search', who: 'ben' },
  { name: 'the search, for visitors', path: '/search', who: 'visitor' },
  {
    name: 'the search, recent ones',
    path: kiln,
    who: 'ben',
    act: async (page) => {
      await page.locator('main .search input').first().press('Enter')
      await page.locator('main .search input').first().fill('')
      await page.locator('.recent-searches').waitFor()
    },
  },
  { name: 'the search, found', path: kiln, who: 'ben', act: finds('a.hit') },
  { name: 'the search, found by visitors', path: '/search?q=river', who: 'visitor', act: finds('a.hit') },
  { name: 'the search, loading', path: kiln, who: 'ben', answers: 'held' },
  { name: 'the search, failed', path: kiln, who: 'ben', answers: 'failed' },
  { name: 'the search, nothing found', path: '/search?q=xyzzyq', who: 'ben', act: finds('.empty') },
  {
    name: 'the search, nothing found with filters',
    path: '/search?q=kiln%20has:poll%20from:me%20before:2020&in=group::group',
    who: 'ben',
    act: finds('.empty'),
  },
  { name: 'the search, one kind', path: `${kiln}&kind=message`, who: 'ben', act: finds('a.hit') },
  { name: 'the search, who wrote it', path: kiln, who: 'ben', act: opensChip('from', 'li') },
  { name: 'the search, where it is', path: kiln, who: 'ben', act: opensChip('in', 'li') },
  { name: 'the search, what it has', path: kiln, who: 'ben', act: opensChip('has', 'button') },
  { name: 'the search, when it was', path: kiln, who: 'ben', act: opensChip('time', 'form') },
  { name: 'pictures', path: `${attached}picture`, who: 'ben', act: finds('.picture-grid img') },
  { name: 'pictures, loading', path: `${attached}picture`, who: 'ben', answers: 'held' },
  { name: 'pictures, failed', path: `${attached}picture`, who: 'ben', answers: 'failed' },
  {
    name: 'pictures, none in a group',
    path: `${attached}picture&in=group::group`,
    who: 'ben',
    act: finds('.empty'),
  },
  { name: 'files', path: `${attached}file`, who: 'ben', act: finds('.attached-list') },
  { name: 'links', path: `${attached}link`, who: 'ben', act: finds('.attached-list') },
  { name: 'pictures, for visitors', path: `${attached}picture`, who: 'visitor' },
]
