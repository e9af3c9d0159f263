export type ChoiceName = 'evening' | 'tomorrow' | 'monday'

/** In the time zone of the device. Leaves out what is over, and the Monday that is tomorrow. */
export function choicesAt(now: Date) {
  const at = (days: number, hours: number) => {
    const time = new Date(now)
    time.setDate(time.getDate() + days)
    time.setHours(hours, 0, 0, 0)
    return time.toISOString()
  }
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  const all: [ChoiceName, string][] = [
    ['evening', at(0, 19)],
    ['tomorrow', at(1, 7)],
    ['monday', at(daysToMonday, 7)],
  ]
  return all.filter(
    ([name, time]) => Date.parse(time) > now.getTime() + 60_000 && (name !== 'monday' || daysToMonday > 1),
  )
}
