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

/** Texts of a few words up to `longest` characters, one in three of them Japanese. */
export function prose(random: () => number, longest: number): string[] {
  return Array.from({ length: 2000 }, (_, n) => {
    const [list, gap] = n % 3 ? [words.en, ' '] : [words.ja, '']
    const length = 3 + Math.floor(120 * random() ** 3)
    const text = Array.from({ length }, () => list[Math.floor(random() * list.length)]).join(gap)
    return text.slice(0, longest)
  })
}

const YEARS = 3 * 365 * 24 * 3600 * 1000
/** Makes a function that returns the time of a step: the steps divide three years evenly. */
export const calendar = (steps: number) => {
  const end = Date.UTC(2026, 10, 1)
  return (step: number) => new Date(end - YEARS + Math.floor((YEARS * step) / steps)).toISOString()
}
