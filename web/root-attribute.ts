import { useInsertionEffect } from 'react'

const shown = new Map<string, number>()

/**
 * Sets `data-name="value"` while the component is mounted; null sets nothing. Before the layout effects of
 * all components, because some measure elements whose style depends on it. `:has()` in CSS would make the
 * browser search the whole page at every change.
 */
export function useRootAttribute(name: string, value: string | null = '') {
  useInsertionEffect(() => {
    if (value === null) return
    const { dataset } = document.documentElement
    dataset[name] = value
    shown.set(name, (shown.get(name) ?? 0) + 1)
    return () => {
      shown.set(name, shown.get(name)! - 1)
      if (!shown.get(name)) delete dataset[name]
    }
  }, [name, value])
}
