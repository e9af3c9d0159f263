import type { ComponentType } from 'react'
import type { Sentence } from '#core/contract.ts'
import type { AdminSettings } from '../contract.ts'

export interface SettingsSection {
  /** Also the fragment of its URL: `look` in `/admin/settings#look`. */
  id: string
  title: Sentence
  Content: ComponentType<AdminSettings>
}
