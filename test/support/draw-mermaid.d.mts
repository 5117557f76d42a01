import type { BrowserContext, Page } from 'playwright-core';

export function openMermaid(context: BrowserContext): Promise<Page>;
export function drawMermaid(page: Page, text: string): Promise<void>;
