import holidayJp from '@holiday-jp/holiday_jp'
import type { Language } from '#core/contract.ts'

/** In days: a request gets no more. */
const MOST = 731

/** Of Japan. `from` and `to` are dates, both included. */
export function between(from: string, to: string, lang: Language) {
  const first = new Date(from)
  const last = new Date(Math.min(Date.parse(to), first.getTime() + MOST * 86_400_000))
  return holidayJp.between(first, last).map(({ date, name, name_en }) => ({
    day: date.toISOString().slice(0, 10),
    name: lang === 'ja' ? name : name_en,
  }))
}
