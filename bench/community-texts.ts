const words = {
  en: (
    'the morning tea was still warm when rain began over quiet hills and someone ' +
    'called from the garden about bread lemons and a letter that came late'
  ).split(' '),
  ja: (
    '今日は 庭の 花が きれいに 咲いて いました。 駅前の パン屋さんで ' +
    '友だちと 会って、 お茶を 飲みながら ゆっくり 話しました。'
  ).split(' '),
}

/**
 * Returns 2,000 random texts of a few words or more, cut after `longest` characters. Every third one is
 * Japanese.
 */
export function generateRandomBenchTexts(random: () => number, longest: number): string[] {
  return Array.from({ length: 2000 }, (_, n) => {
    const [list, gap] = n % 3 ? [words.en, ' '] : [words.ja, '']
    const length = 3 + Math.floor(120 * random() ** 3)
    const text = Array.from({ length }, () => list[Math.floor(random() * list.length)]).join(gap)
    return text.slice(0, longest)
  })
}

const YEARS = 3 * 365 * 24 * 3600 * 1000
/**
 * Returns a function that turns the number of a row into its time, as an ISO string. The times of `steps`
 * rows are spread evenly over three years.
 */
export const createEvenBenchTimestampFunction = (steps: number) => {
  const end = Date.UTC(2026, 10, 1)
  return (step: number) => new Date(end - YEARS + Math.floor((YEARS * step) / steps)).toISOString()
}
