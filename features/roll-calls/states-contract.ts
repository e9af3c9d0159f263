import type { Language } from '#core/contract.ts'
import type { RollCallState } from './contract.ts'

export const stateLabels: Record<Language, Record<RollCallState, string>> = {
  en: { safe: 'I am safe', help: 'I need help', away: 'I am not here' },
  ja: { safe: '無事', help: '助けが必要', away: 'この場にいない' },
}

/** On the board, where others read about a person. */
export const boardLabels: Record<Language, Record<RollCallState | 'none', string>> = {
  en: { help: 'Need help', none: 'No answer yet', away: 'Not here', safe: 'Safe' },
  ja: { help: '助けが必要', none: '未回答', away: 'この場にいない', safe: '無事' },
}
