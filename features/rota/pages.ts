import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = []
