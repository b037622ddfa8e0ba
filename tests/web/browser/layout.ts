import type { Page } from 'playwright-core';

/**
 * The parts of a page that do not fit: it scrolls sideways, a control cuts off its own words or breaks its label over
 * two lines, or a target is smaller than 24 px (WCAG 2.5.8; links within a sentence are exempt).
 */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
      !element.closest('.hidden-visually, .skip, [inert]');
    const pen = document.createElement('canvas').getContext('2d');
    const textWidth = (element: Element, text: string): number => {
      if (!pen) return 0;
      const style = getComputedStyle(element);
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      return pen.measureText(text).width;
    };
    const roomIn = (element: Element): number => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    };
    for (const box of document.querySelectorAll(
      'body, .page, .feed, .nav, .people-list, .dialog-body, .layer, .account',
    ))
      if (isShown(box) && box.scrollWidth > box.clientWidth + 1)
        faults.push(`scrolls sideways by ${box.scrollWidth - box.clientWidth} px: ${nameOf(box)}`);
    for (const box of document.querySelectorAll('select')) {
      const text = box.selectedOptions[0]?.text ?? '';
      // The arrow of the system takes 20 px; another one is in the padding.
      const arrow = getComputedStyle(box).appearance === 'none' ? 0 : 20;
      if (isShown(box) && textWidth(box, text) > roomIn(box) - arrow)
        faults.push(`cuts off “${text}”: ${nameOf(box)}`);
    }
    for (const box of document.querySelectorAll('input[placeholder], textarea[placeholder]')) {
      const text = box.getAttribute('placeholder') ?? '';
      if (isShown(box) && textWidth(box, text) > roomIn(box) + 1)
        faults.push(`cuts off the hint “${text}”: ${nameOf(box)}`);
    }
    for (const control of document.querySelectorAll('.button, h1, nav a, .menu-item')) {
      if (!isShown(control) || control.closest('.nav')) continue;
      if (control.scrollWidth > control.clientWidth + 1)
        faults.push(`cuts off its label: ${nameOf(control)}`);
      const lineHeight = Number.parseFloat(getComputedStyle(control).lineHeight);
      const range = document.createRange();
      range.selectNodeContents(control);
      const lines = range.getBoundingClientRect().height / lineHeight;
      if (control.matches('.button') && lines > 1.9)
        faults.push(`breaks its label over lines: ${nameOf(control)}`);
    }
    for (const target of document.querySelectorAll(
      'a, button, input, select, textarea, [role=menuitem], summary',
    )) {
      if (!isShown(target) || target.closest('.rendered, p, .line-text, dd')) continue;
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
      if (Math.min(width, height) < 23.5)
        faults.push(`is only ${Math.round(width)} × ${Math.round(height)} px: ${nameOf(target)}`);
    }
    for (const line of document.querySelectorAll('.line')) {
      const buttons = [...line.querySelectorAll(':scope > .icon-button')].filter(isShown);
      const [first, ...others] = buttons.map((button) => button.getBoundingClientRect().top);
      if (first !== undefined && others.some((top) => Math.abs(top - first) > 1))
        faults.push(`parts the buttons of a line: ${nameOf(line)}`);
    }
    return faults;
  });
