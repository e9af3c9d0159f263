import { addToPages } from '#core/feature/pages.ts'
import { type Product, shopEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/products/:id': {
    initialData: [shopEndpoints.product],
    description: ({ product }: { product: Product }, lang) => product.about[lang],
  },
  '/cart': { initialData: [shopEndpoints.cart] },
})
