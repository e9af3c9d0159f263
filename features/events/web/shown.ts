/** What the calendar shows, from its address. */
export interface Shown {
  /** `2026-12`. */
  month: string
  layout: 'list' | 'month'
  mine: boolean
  group: number | null
}

const thisMonth = () => {
  const now = new Date()
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`
}

export function read(search: string): Shown {
  const given = new URLSearchParams(search)
  const month = given.get('month') ?? ''
  return {
    month: /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? month : thisMonth(),
    layout: given.get('as') === 'month' ? 'month' : 'list',
    mine: given.get('mine') === '1',
    group: Number(given.get('group')) || null,
  }
}

export function pathOf({ month, layout, mine, group }: Shown) {
  const query = new URLSearchParams({
    ...(month !== thisMonth() && { month }),
    ...(layout === 'month' && { as: layout }),
    ...(mine && { mine: '1' }),
    ...(group !== null && { group: String(group) }),
  }).toString()
  return `/events${query && `?${query}`}`
}
