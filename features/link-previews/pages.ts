import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = []
